import type { CommandWords } from './command-tree.ts';
import { shellTables } from './shell-tables.ts';

/** Works from bash 3.2 on, which is what macOS brings; only completing file names needs bash 4. */
const FUNCTION = `_remit() {
  local place='' value='' word kind n
  local current="\${COMP_WORDS[COMP_CWORD]}"
  local IFS=$'\\n'
  COMPREPLY=()
  for ((n = 1; n < COMP_CWORD; n++)); do
    word="\${COMP_WORDS[n]}"
    # bash takes --option=value apart.
    [ "$word" = '=' ] && continue
    if [ -n "$value" ]; then
      value=''
      continue
    fi
    case "$word" in
      -*) value="$(_remit_value "$place $word")" ;;
      *) _remit_commands "$place" | cut -f 1 | grep -qxF -- "$word" && place="\${place:+$place }$word" ;;
    esac
  done
  [ "$current" = '=' ] && current=''
  if [ -n "$value" ]; then
    kind="$value"
  elif [ "\${current:0:1}" = '-' ]; then
    kind="$(_remit_options "$place" | cut -f 1)"
  else
    kind="$(_remit_commands "$place" | cut -f 1)"
    [ -n "$kind" ] || kind="$(_remit_argument "$place")"
  fi
  case "$kind" in
    @task) kind="$(command remit list-task-ids 2>/dev/null | cut -f 1)" ;;
    @file) compopt -o default 2>/dev/null; return ;;
    @folder) compopt -o dirnames 2>/dev/null; return ;;
    @anything) return ;;
  esac
  COMPREPLY=($(compgen -W "$kind" -- "$current"))
}

complete -F _remit remit`;

export function bashScript(tree: readonly CommandWords[]): string {
  return `# Completion of remit for bash.\n\n${shellTables(tree)}\n\n${FUNCTION}`;
}
