#!/usr/bin/env bash
# Simulates games of every shipped set-up (4000 of each, or as many as are asked for) and does each again: it must come to the same.
# With an earlier program and its folder, both play the same games, and what they report must be equal but for the rules' hash:
# simulated_games.sh [GAMES] [PROGRAM FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
games=${1:-4000} program=${2:-} folder=${3:-}
if [ -z "${ARBITER:-}" ]; then
  cargo build -q --release -p arbiter
  ARBITER=${CARGO_TARGET_DIR:-target}/release/arbiter
fi
arbiter=$(realpath "$ARBITER")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What a program reports of a set-up, without the line that names the rules.
reported() { # PROGRAM FOLDER SETUP [OPTIONS...]
  (cd "$2" && "$1" simulate "$3" --ruleset wwrf --games "$games" --seed 1 "${@:4}") | grep -v '^ruleset:'
}

for file in content/wwrf/setups/*.yaml; do
  setup=$(sed -n 's/^name: *//p' "$file")
  reported "$arbiter" . "$setup" --verify >"$work/now"
  if [ -n "$program" ]; then
    reported "$(realpath "$program")" "$folder" "$setup" >"$work/before"
    diff -u "$work/before" <(grep -v ' replay to the same hash$' "$work/now")
  fi
  printf '%s: %s games, each does the same again%s\n' "$setup" "$games" "${program:+ and as before}"
done
