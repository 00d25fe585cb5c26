#!/usr/bin/env bash
# Plays many random games of the harbour (5000, or as many as are asked for) and a fifth as many with a rule that breaks.
# Each must end, and each is played again: it must do the same.
set -euo pipefail
cd "$(dirname "$0")/.."
HARBOUR_GAMES=${1:-5000} exec cargo test --release -p arbiter-tests --test suites -- random_harbour_games::
