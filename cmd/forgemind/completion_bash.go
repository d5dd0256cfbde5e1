package main

import (
	"fmt"
	"strings"
)

// bashScript returns the completion script for bash. It offers the words of the command table and
// the output of 'forgemind complete', and files if nothing else matches.
func bashScript(levels []completionLevel) string {
	paths, words, values := shellCases(levels)
	return `# bash completion for forgemind
_forgemind() {
  local path=forgemind next words= ask= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="$path ${COMP_WORDS[i]}"
    case "$next" in
` + paths + `    esac
  done
  case "$path" in
` + words + `  esac
  local flag=${COMP_WORDS[COMP_CWORD-1]} word=${COMP_WORDS[COMP_CWORD]}
  local before=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
  if [[ $word == = ]]; then # --flag=
    word=
  elif [[ $flag == = ]]; then # --flag=value
    flag=${COMP_WORDS[COMP_CWORD-2]}
    before=("${COMP_WORDS[@]:1:COMP_CWORD-2}")
  fi
  case "$path $flag" in
` + values + `  esac
  COMPREPLY=()
  if [[ -n $ask && $word != -* ]]; then
    local id text
    while IFS=$'\t' read -r id text; do
      if [[ $id == "${word//[\\\"\']/}"* ]]; then
        COMPREPLY+=("$(printf %q "$id")") # ids come from the tree: the shell must not expand them
      fi
    done < <(command forgemind complete -- "${before[@]//[\\\"\']/}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -gt 0 ]]; then
      words=${words%%--*}
    fi
  fi
  COMPREPLY+=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _forgemind forgemind
`
}

// shellCases returns the branches of three case statements: for the current command, for the words
// that can follow it, and for the values of its flags.
func shellCases(levels []completionLevel) (paths, words, values string) {
	var p, w, v strings.Builder
	for _, l := range levels {
		fmt.Fprintf(&p, "      '%s') path='%s' ;;\n", strings.Join(l.called, "'|'"), l.path)
		fmt.Fprintf(&w, "    '%s') words='%s' ask=%s ;;\n", l.path, strings.Join(l.words, " "), mark(l.asks[""]))
		var free []string // flags with any value
		for _, flag := range l.valued() {
			if choices := l.values[flag]; choices != nil || l.asks[flag] {
				fmt.Fprintf(&v, "    '%s %s') words='%s' ask=%s ;;\n", l.path, flag, strings.Join(choices, " "), mark(l.asks[flag]))
			} else {
				free = append(free, "'"+l.path+" "+flag+"'")
			}
		}
		if len(free) > 0 {
			fmt.Fprintf(&v, "    %s) words= ask= ;;\n", strings.Join(free, "|"))
		}
	}
	return p.String(), w.String(), v.String()
}

// mark returns a true or false value for a shell script: any text, or "".
func mark(b bool) string {
	if b {
		return "1"
	}
	return ""
}
