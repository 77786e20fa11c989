import type { CommandWords } from './command-tree.ts';
import { shellTables } from './shell-tables.ts';

/** Also a file of a folder in $fpath, where its first line tells zsh what it is for. */
const FUNCTION = `_remit() {
  local place='' value='' word kind n
  local -a found
  for ((n = 2; n < CURRENT; n++)); do
    word="\${words[n]}"
    if [[ -n "$value" ]]; then
      value=''
      continue
    fi
    case "$word" in
      -*=*) ;;
      -*) value="$(_remit_value "$place $word")" ;;
      *) _remit_commands "$place" | cut -f 1 | grep -qxF -- "$word" && place="\${place:+$place }$word" ;;
    esac
  done
  if [[ -n "$value" ]]; then
    kind="$value"
  elif [[ "\${words[CURRENT]}" == -* ]]; then
    kind="$(_remit_options "$place")"
  else
    kind="$(_remit_commands "$place")"
    [[ -n "$kind" ]] || kind="$(_remit_argument "$place")"
  fi
  case "$kind" in
    @task) kind="$(command remit list-task-ids 2>/dev/null)" ;;
    @file) _files; return ;;
    @folder) _files -/; return ;;
    @anything|'') return 1 ;;
  esac
  # What stands behind the tab is shown beside the word.
  found=("\${(@f)kind}")
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found/$'\\t'/:}")
  _describe remit found
}

if [[ "\${funcstack[1]}" == _remit ]]; then
  _remit "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _remit remit
fi`;

export function zshScript(tree: readonly CommandWords[]): string {
  return `#compdef remit\n\n${shellTables(tree)}\n\n${FUNCTION}`;
}
