#!/bin/sh
# Installs the real agents that interop/ pins, once per lock file.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
cd "$root/interop"
stamp=node_modules/.remit-setup
wanted=$(cat package.json package-lock.json | cksum)

if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$wanted" ]; then
  printf '%s\n' 'Installing the agents and clients of interop/, 1.9 GB (npm ci)' >&2
  if [ -z "${HOME:-}" ] || [ ! -d "$HOME" ]; then
    HOME=$root/.stamp/home
    mkdir -p "$HOME"
    export HOME
  fi
  npm ci --no-audit --no-fund --no-update-notifier --loglevel=error >&2
  printf '%s\n' "$wanted" >"$stamp"
fi
