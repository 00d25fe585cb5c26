#!/usr/bin/env bash
# Records one game per ruleset as the folders tests/saves/RULESET were recorded: keep_games.sh FOLDER [RULESET...]
#
# Those folders, and those in tests/saves/engine that were recorded later, are the authority and are never recorded anew: that
# the program of now still opens them, goes on with them and finds the same in them is what the suite `saves` holds. This is
# how a game of a further ruleset, or of a further version of rules or format, is recorded beside them; the secret comes from
# a seed, so the dice are the same each time. ARBITER names a program that is built already.
#
# Each game is played at the prompt in two sittings. The rules are those of the project without their tests, with the
# commands and rules of tests/saves/trial; between the sittings one more rule is saved, and that one is broken. The first
# sitting ends in a fork that becomes a game of its own: that one is kept.
set -euo pipefail
cd "$(dirname "$0")/.."

into=$(realpath "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${ARBITER:-}" ]; then
  cargo build -q -p arbiter
  ARBITER=${CARGO_TARGET_DIR:-target}/debug/arbiter
fi
arbiter=$(realpath "$ARBITER")
export XDG_STATE_HOME=$work/state

# What every game meets: undo and redo, refusals, limits, typed dice, a question, corrections.
common() { # two numbers of rulings: one to leave out, one to replace
  cat <<LINES
as gm
dice clear
trial
undo
redo
undo
dice next 42 d20:5 7
trial
nonsense
trial endless
trial large
trial ask
answer sure perhaps
answer sure yes
answer how far
revert $1 yes
replace $2 yes with trial
LINES
}

# What every game meets in its fork, which is kept.
fork() { # RULESET
  cat <<LINES
fork trial
dice clear
trial
trial ask
answer sure no
undo
drop
log
save $work/$1/kept
quit
LINES
}

# What every game meets when a rule of it is broken; the last question stays open.
broken() {
  cat <<LINES
trial
answer skip
trial
answer stop
dice next 3 d20:5 8 9
trial
answer skip
undo
redo
trial ask
answer sure no
quit
LINES
}

first() { # RULESET
  case $1 in
    fortune)
      cat <<'LINES'
set mara player Ann
pool Mara Drive Style vs 17 # over the gap
undo
pool Mara Drive Style vs 17 # over the gap
choose use d10,d8
as Ann
salt a leaf
as gm
dice next 8 6 2
pool d8 d6 vs 14
pool d8 d7 vs 14
LINES
      common 5 9
      ;;
    opend6)
      cat <<'LINES'
mage Mara: alteration 5D
mage Pell: alteration 1D
dice next 4 3 5 2 4
cast Eel Skin by Mara at Pell with 5D
wait 10 min
cast Eel Skin by Mara at Pell with 5D
undo
spell new Gull Call: SkillEffect("charm gulls", "+3D")
spell set Gull Call range: 100 miles
spell set Mill Race range: 40 m
cast Eel Skin by Pell at Mara
wait 1 h
LINES
      common 3 6
      ;;
    dungeon)
      cat <<'LINES'
at 2010-07-05 10:00
new player Hedda
new player Osk
for Hedda: take role Valkyrie
for Hedda: wield longsword
new encounter "Orcs at the Gate" on level 1: 2 hill orc HP 6 damage 1d8 drop "food ration" drop rate 40
for Osk: attack hill orc #1
at 2010-07-06 10:05
dice next 4 7
for Hedda: attack hill orc #1
for Hedda: attack hill orc #2
for Osk: attack hill orc #1
gndt Hedda HP 5 (10) for ruling 9 because her shield gives 2
dispute 11 the die was a d10
settle 11 it was a d12
undo
LINES
      common 13 15
      ;;
    wwrf)
      cat <<'LINES'
new game Quay with Ann, Bo, Cy, Dee, Eve, Fay
next
deadline 24h
for Eve: answer Fayy
for Eve: answer Fay
for Cy: answer Fay
for Dee: answer Eve
undo
for Dee: answer Ann
for Bo: vote Ann
next
for Cy: vote Bo in Lynch
for Zed: vote Bo in Lynch
for Ann: vote Bo in Lynch
for Ann: vote Eve in Lynch
LINES
      common 6 12
      ;;
    features)
      cat <<'LINES'
encounter new The Frozen Ford
turn Ilsabet
dice next d20:17 d20:1 d20:18 d20:11 d20:3 d20:18
use ring the bell
end turn
turn Oruk
answer yes
attack Third Raider
use aggressive on Third Raider
attack Third Raider
undo
attack Third Raider
as Ben
order reckless yes
LINES
      common 5 10
      ;;
  esac
  fork "$1"
}

second() { # RULESET
  case $1 in
    fortune) echo 'pool Mara Drive Style vs 17' ;;
    opend6) echo 'cast Eel Skin by Mara with 3D' ;;
    dungeon) echo 'for Osk: attack hill orc #2' ;;
    wwrf) echo next ;;
    features) printf '%s\n' 'end turn' 'turn Old Grey' ;;
  esac
  broken
}

# A copy of the rules of a ruleset, with what only kept games have; the broken rule lies aside.
rules() { # RULESET
  local home=$work/$1/home own=$work/$1/home/scripts/$1
  mkdir -p "$home/scripts" "$home/content"
  cp -r scripts/library "scripts/$1" "$home/scripts"
  cp -r "content/$1" "$home/content"
  find "$home" -name '*.test.*' -delete
  cp -r tests/saves/trial/. "$own"
  mv "$own/trial_rules/broken.luau" "$work/$1"
  local event='trial = { summary = "a kept game tries its rules" },'
  if grep -q '^  events = {' "$own/ruleset.luau"; then
    sed -i "s/^  events = {/& $event/" "$own/ruleset.luau"
  else
    sed -i "s/^return ruleset {\$/&\n  events = { $event },/" "$own/ruleset.luau"
  fi
}

[ $# -gt 0 ] || set -- fortune opend6 dungeon wwrf features
for ruleset in "$@"; do
  mkdir -p "$work/$ruleset"
  rules "$ruleset"
  cd "$work/$ruleset"
  printf '== %s\n' "$ruleset"
  first "$ruleset" | "$arbiter" play "$ruleset" --home home --seed "kept $ruleset" --game trunk --color never
  cp broken.luau "home/scripts/$ruleset/trial_rules"
  second "$ruleset" | "$arbiter" play kept --home home --color never
  rm -f kept/lock
  cp -r kept "$into/$ruleset"
  cd - >/dev/null
done
