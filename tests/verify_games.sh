#!/usr/bin/env bash
# Plays a few games into folders and lets both verifiers look at them: the program itself and tests/verify.py, which
# shares no line with it. They must agree on the chain and on every face, and both must find a die that was altered.
#
# verify_games.sh FOLDER leaves the games there, each with a seed that is its name: the same bytes each time but for the
# clock. ARBITER names the program; without it one is built.
set -euo pipefail
cd "$(dirname "$0")/.."

seeds=
if [ $# -gt 0 ]; then
  games=$1 seeds=1
else
  games=$(mktemp -d)
  trap 'rm -rf "$games"' EXIT
fi
if [ -z "${ARBITER:-}" ]; then
  cargo build -q -p arbiter
  ARBITER=${CARGO_TARGET_DIR:-target}/debug/arbiter
fi
arbiter=$ARBITER

play() { # NAME RULESET, and the lines on standard input
  "$arbiter" run - --game "$games/$1" --ruleset "$2" --mods tests/mini ${seeds:+--seed "$1"} --sync group --keep-going --quiet >/dev/null 2>&1 || true
}

play fortune fortune <<'LINES'
set mara player Ann
roll 1d20
roll 3d6
undo
roll 2d100
as Ann
salt the seventh wave
as gm
pool Mara Drive Style vs 17 # over the gap
choose use d10,d8
dice next 20 d6:5
roll 1d20
roll 1d6
roll 1d20
undo
LINES

play mini mini <<'LINES'
throw 2d6
charm Ann with cheer
skirmish
undo
as Ann
salt pepper
as gm
throw 10d20
dice next 3
throw 1d6
reveal
throw 1d6
reveal and roll on
throw 4d6
LINES

play harbour harbour <<'LINES'
roll 5d6
as Ann
salt a grain of sand
as gm
next
roll 5d6
next
roll 5d6
undo
roll 1d1000000
LINES

# A past that is corrected, again and again: rulings left out, others in their place, and that taken back.
play corrected mini <<'LINES'
throw 2d6
set Ann mood 3
throw 3d6
replace 2 yes with throw 4d6
as Ann
salt a leaf
as gm
next
replace 4 yes with throw 6d6
dice next 4
throw 1d6
revert 3 yes
undo
redo
throw 2d20
revert 6 yes
revert 10 yes
throw 1d6
LINES

# A ruling that waits for several, begun anew when some have answered, and a roll before it that is left out later.
answers() { printf 'as %s\nanswer yes\n' "$@" && echo "as gm"; }
{
  printf '%s\n' "roll 2d6" next truce
  answers Ann Bo Cai
  printf '%s\n' "roll 1d20" restart
  answers Ann Bo Cai Dot Eve Fin Gus
  printf '%s\n' "roll 2d6" undo "roll 3d6" "revert 2 yes" "roll 1d6"
} | play waiting harbour

# Corrections that ask who was not asked then: they wait, are given up, go on after a salt, and are taken back.
play late harbour <<'LINES'
next
lay parry on Bo
for Bo: I go to square
for Ann: I go to square
set Bo shield 10
dice next 12 3
for Ann: I strike Bo
roll 1d6
revert 6 yes
for Bo: answer perhaps
drop
revert 6 yes
as Ann
salt late
as gm
roll 1d6
for Bo: answer no
undo
for Bo: answer no
next
next
for Ann: I strike Bo
replace 6 yes with set Bo shield 1
for Bo: answer yes
revert 20 yes
roll 2d6
LINES

# Everything that the host itself keeps: disputes and what was ruled, lines for others, reasons, orders, rulings that
# wait and are given up, begun anew, or go on, and at last the seed.
grep -v '^reload$\|^finish$' tests/suites/verify/commands.txt |
  sed -E 's/^(Ann|Bo|Cai): (.*)$/as \1\n\2\nas gm/' |
  play host harbour

# A fork that became a game of its own.
play trunk mini <<LINES
throw 2d6
fork trial
throw 3d6
replace 3 yes with throw 5d6
save $games/fork
LINES

# What both say in the same words.
common() { grep -E '^(chain|faces): '; }

for game in fortune mini harbour corrected waiting late host fork; do
  if ! ours=$("$arbiter" verify "$games/$game" --dice) || ! theirs=$(python3 tests/verify.py "$games/$game"); then
    printf 'something is wrong with %s:\n%s\n%s\n' "$game" "$ours" "${theirs:-}" >&2
    exit 1
  fi
  ours=$(common <<<"$ours") theirs=$(common <<<"$theirs")
  if [ "$ours" != "$theirs" ] || ! grep -q 'faces: [1-9]' <<<"$ours"; then
    printf 'the verifiers do not agree on %s:\n%s\n%s\n' "$game" "$ours" "$theirs" >&2
    exit 1
  fi
  printf '%s: %s\n' "$game" "$(tail -n 1 <<<"$ours")"
done

# The seed was revealed: the journal alone is enough.
python3 tests/verify.py "$games/mini/journal.jsonl" >/dev/null

# A die that somebody altered, with all lines chained anew, and a line that was not.
python3 - "$games" <<'SCRIPT'
import hashlib, re, shutil, sys
games = sys.argv[1]
for name, chained in (("die", True), ("line", False)):
    shutil.copytree(games + "/fortune", games + "/" + name)
    path, chain, out = games + "/" + name + "/journal.jsonl", "", []
    for number, line in enumerate(open(path, newline="\n")):
        text, _, old = line[:-1].rpartition("\t")
        if number == 3:
            text = re.sub(r'"face":(\d+)', lambda face: '"face":%d' % (int(face[1]) % 20 + 1), text, count=1)
        chain = hashlib.sha256((chain + text).encode()).hexdigest() if chained else old
        out.append(text + "\t" + chain + "\n")
    open(path, "w", newline="\n").writelines(out)
SCRIPT
for game in die line; do
  if "$arbiter" verify "$games/$game" --dice >/dev/null 2>&1 || python3 tests/verify.py "$games/$game" >/dev/null; then
    echo "an altered $game was not found" >&2
    exit 1
  fi
done
echo "an altered die and an altered line were found by both"
