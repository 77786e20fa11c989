#!/bin/sh
# Brings a fresh machine to where every make target works: system parts, packages, the project's own Node 24.
# Does nothing, quickly, when all of it is there, and says so only when its argument is `setup`: other targets call it silently.
# Never asks a question.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
cd "$root"
system=$(uname -s)
own_node=node_modules/node/bin/node
stamp=node_modules/.remit-setup

say() { printf '%s\n' "$*" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }

# npm ci removes node_modules, so it must not run on the Node that lives there.
leave_own_tools() {
  left=
  rest=$PATH:
  while [ -n "$rest" ]; do
    entry=${rest%%:*}
    rest=${rest#*:}
    case $entry in "$root"/node_modules/* | '') ;; *) left=${left:+$left:}$entry ;; esac
  done
  PATH=$left
  export PATH
}

# --- system parts ---------------------------------------------------------------------------------------------------

required_commands() {
  if [ "$system" = Linux ]; then echo git bwrap; else echo git; fi
}

useful_commands() {
  if [ "$system" = Linux ]; then echo rg strace; else echo rg; fi
}

missing_of() {
  for name in "$@"; do
    has "$name" || printf '%s ' "$name"
  done
}

packages_for() {
  for name in "$@"; do
    case $name in
      bwrap) printf 'bubblewrap ' ;;
      rg) printf 'ripgrep ' ;;
      *) printf '%s ' "$name" ;;
    esac
  done
}

explain() {
  say "Missing: $*"
  packages=$(packages_for "$@")
  packages=${packages% }
  if [ "$system" = Darwin ]; then
    say "  macOS:          brew install $packages"
  else
    say "  Debian, Ubuntu: sudo apt-get install $packages"
    say "  Fedora:         sudo dnf install $packages"
    say "  Arch:           sudo pacman -S $packages"
  fi
}

install_with_apt() {
  has apt-get || return 1
  if [ "$(id -u)" = 0 ]; then
    as_root=
  elif has sudo && sudo -n true 2>/dev/null; then
    as_root='sudo -n'
  else
    return 1
  fi
  say "Installing with apt: $*"
  log=$(mktemp)
  if { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } >"$log" 2>&1 </dev/null; then
    rm -f "$log"
  else
    tail -n 20 "$log" >&2
    rm -f "$log"
    return 1
  fi
}

ensure_system_parts() {
  # shellcheck disable=SC2046 # lists of plain words
  set -- $(missing_of $(required_commands) $(useful_commands))
  [ $# -eq 0 ] && return
  # shellcheck disable=SC2046
  install_with_apt $(packages_for "$@") || true
  # shellcheck disable=SC2046
  set -- $(missing_of $(useful_commands))
  [ $# -eq 0 ] || { say 'Not required, but used where they are there:'; explain "$@"; }
  # shellcheck disable=SC2046
  set -- $(missing_of $(required_commands))
  [ $# -eq 0 ] || { explain "$@"; say 'Install them, then run make setup again.'; exit 1; }
}

# --- packages and the project's own Node ------------------------------------------------------------------------------

ensure_npm() {
  if ! has node || ! has npm; then
    say 'Node 20 or newer with npm is needed to install the project: https://nodejs.org, or your system'"'"'s packages nodejs and npm.'
    exit 1
  fi
}

# npm keeps its cache under HOME; a machine without one gets a place inside the project.
ensure_home() {
  if [ -z "${HOME:-}" ] || [ ! -d "$HOME" ]; then
    HOME=$root/.stamp/home
    mkdir -p "$HOME"
    export HOME
  fi
}

wanted_stamp() {
  cat package.json package-lock.json scripts/setup.sh | cksum
}

# The package `node` fetches its binary in an install script, which some npm versions or settings refuse to run.
ensure_own_node() {
  works_as_own_node && return
  say 'npm did not run the install script of the package "node"; running it directly.'
  (cd node_modules/node && node installArchSpecificPackage.js) >&2 || true
  works_as_own_node && return
  if system_node_is_new_enough; then
    say "Using the system's $(node --version) in its place."
    mkdir -p node_modules/node/bin
    ln -sf "$(command -v node)" "$own_node"
    return
  fi
  say "The package \"node\" could not be installed, and the system's node ($(node --version)) is older than 22.18."
  say 'Either allow its install script (npm config set ignore-scripts false) or install a newer Node; then run make setup again.'
  exit 1
}

works_as_own_node() {
  [ -x "$own_node" ] && "$own_node" --version >/dev/null 2>&1
}

# 22.18 is the first that runs TypeScript files without a flag, which the project's scripts need.
system_node_is_new_enough() {
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a === 22 && b >= 18) ? 0 : 1)'
}

ensure_packages() {
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted_stamp)" ] && works_as_own_node; then
    return
  fi
  ensure_npm
  ensure_home
  say 'Installing packages (npm ci)'
  npm ci --no-audit --no-fund --no-update-notifier --loglevel=error >&2
  ensure_own_node
  wanted_stamp >"$stamp"
}

say_done() {
  [ "$1" = setup ] || return 0
  say 'Everything that is needed is installed; next: make build'
}

leave_own_tools
ensure_system_parts
ensure_packages
say_done "${1:-}"
