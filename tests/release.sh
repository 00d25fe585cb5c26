#!/usr/bin/env bash
# Builds the program and puts it into FOLDER/arbiter-VERSION-TARGET.tar.gz, with the SHA-256 in a file beside it:
# release.sh FOLDER
#
# The archive holds the program, scripts, content, documents and licence texts of the commit that is checked out, in a
# folder of its own name. It also holds what the documents use of tests/: the toy rulesets, the files that examples read,
# and the second verifier. Two runs with the same program write the same bytes: names are sorted, and all files have the
# time of the commit.
# Needs git, GNU tar, gzip and sha256sum; nothing is downloaded, so the dependencies must be there already. ARBITER names
# a program that is built already.
set -euo pipefail
if [ $# -ne 1 ]; then
  echo "usage: release.sh FOLDER" >&2
  exit 2
fi
mkdir -p "$1"
into=$(realpath "$1")
if [ -n "${ARBITER:-}" ]; then ARBITER=$(realpath "$ARBITER"); fi
cd "$(dirname "$0")/.."

# An archive with the name of a commit has nothing that the commit lacks.
if [ -n "$(git status --porcelain --untracked-files=no)" ]; then
  echo "there are changes that no commit has: commit them first" >&2
  exit 1
fi

if [ -z "${ARBITER:-}" ]; then
  cargo build --quiet --profile dist --locked --offline -p arbiter
  ARBITER=${CARGO_TARGET_DIR:-target}/dist/arbiter
fi
target=$(rustc -vV | sed -n 's/^host: //p')
version=$("$ARBITER" --version | cut -d ' ' -f 2)
stated=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
if [ "$version" != "$stated" ]; then
  echo "the program has version $version, and Cargo.toml states $stated" >&2
  exit 1
fi

name=arbiter-$version-$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/$name"
cp "$ARBITER" "$work/$name/arbiter"
git ls-files -z -- scripts content docs tests/mini 'tests/*/files/*' tests/verify.py README.md 'LICENSE-*' .luaurc | xargs -0 cp --parents -t "$work/$name"

# What is in the archive works by itself, in every folder.
(cd / && "$work/$name/arbiter" check --deny-warnings --no-cache --quiet)
(cd "$work/$name" && ./arbiter test docs README.md --mods tests/mini --no-cache --quiet)

tar --create --directory "$work" --sort=name --mtime="@$(git log -1 --format=%ct)" --owner=0 --group=0 --numeric-owner \
  --mode='u=rwX,go=rX' --format=gnu "$name" | gzip --no-name --best >"$work/$name.tar.gz"
mv "$work/$name.tar.gz" "$into/"
(cd "$into" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
printf '%s\n' "$into/$name.tar.gz" "$into/$name.tar.gz.sha256"
