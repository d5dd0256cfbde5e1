#!/usr/bin/env bash
# Judges the tree of a pull request: prints findings as the forge shows them, and writes a summary
# in markdown. It runs in the directory with the tree, and needs forgemind, git and bash.
#
#   FORGEMIND_AGAINST  the revision that the request is to be merged into; "" for none
#   FORGEMIND_FORMAT   what is printed: github (the default), gitlab, junit or text
#   FORGEMIND_STRICT   true: warnings fail, too
#   FORGEMIND_SARIF    the file that gets the findings as SARIF; "" for none
#   FORGEMIND_SUMMARY  the file that gets the summary at its end; "" for none
#
# The exit code is that of 'forgemind validate'.
set -euo pipefail

against=${FORGEMIND_AGAINST:-}
flags=()
if [ -n "$against" ]; then flags+=(--against "$against"); fi
if [ "${FORGEMIND_STRICT:-false}" = true ]; then flags+=(--strict); fi

# What stands in a tree is a stranger's text. Indented, it is shown as it is.
shown() { sed 's/^/    /'; }

# added_decisions prints the decisions that the request adds.
added_decisions() {
  git diff --relative --diff-filter=A --name-only -z "$against...HEAD" -- .forgemind/decisions .quaid/decisions |
    while IFS= read -r -d '' file; do
      id=${file##*/}
      forgemind decision show "${id%.json}" 2>&1 || true
    done
}

# governing prints which constraints and decisions hold for the files that the request changes.
governing() {
  git diff --relative --diff-filter=d --name-only -z "$against...HEAD" -- . ':(exclude).forgemind' ':(exclude).quaid' |
    while IFS= read -r -d '' file; do
      found=$(forgemind governs "$file" 2>/dev/null) || continue
      if [ -n "$found" ]; then printf '%s\n%s\n' "$file" "$found"; fi
    done
}

section() { # TITLE TEXT
  if [ -n "$2" ]; then printf '### %s\n\n%s\n\n' "$1" "$(printf '%s\n' "$2" | shown)"; fi
}

summary() {
  printf '## forgemind\n\n'
  section 'Findings' "$(forgemind validate "${flags[@]}" 2>&1 || true)"
  if [ -n "$against" ]; then
    section 'Decisions that this change adds' "$(added_decisions)"
    section 'What governs the files that it touches' "$(governing)"
  fi
}

code=0
forgemind validate "${flags[@]}" --format "${FORGEMIND_FORMAT:-github}" || code=$?
if [ -n "${FORGEMIND_SARIF:-}" ]; then forgemind validate "${flags[@]}" --format sarif >"$FORGEMIND_SARIF" || true; fi
if [ -n "${FORGEMIND_SUMMARY:-}" ]; then summary >>"$FORGEMIND_SUMMARY"; fi
exit "$code"
