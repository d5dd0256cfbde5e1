package main

import "strings"

// zshScript returns the completion script for zsh. It is like bashScript and shows descriptions. It
// can be sourced, or be a file named _forgemind in a directory of fpath.
func zshScript(levels []completionLevel) string {
	paths, words, values := shellCases(levels)
	zsh := strings.NewReplacer("path=", "command=", "words=", "offered=").Replace // path and words are special variables of zsh
	return `#compdef forgemind
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_forgemind() {
  local command=forgemind next= offered= ask= flag= id= text= i
  local -a before list ids shown
  for ((i = 2; i < CURRENT; i++)); do
    next="$command ${words[i]}"
    case "$next" in
` + zsh(paths) + `    esac
  done
  case "$command" in
` + zsh(words) + `  esac
  flag=${words[CURRENT-1]}
  before=("${(@Q)words[2,CURRENT-1]}")
  if [[ $PREFIX == --*=* ]]; then
    flag=${PREFIX%%=*}
    before+=("$flag")
    compset -P '*='
  fi
  case "$command $flag" in
` + zsh(values) + `  esac
  if [[ -n $ask && $PREFIX != -* ]]; then
    while IFS=$'\t' read -r id text; do
      ids+=("$id")
      shown+=("$id${text:+  -- $text}")
    done < <(command forgemind complete -- "${before[@]}" 2>/dev/null)
    if (( $#ids )); then
      compadd -V ids -l -d shown -a ids && offered=${offered%%--*}
    fi
  fi
  list=(${=offered})
  compadd -a list
  (( compstate[nmatches] )) || _files
}
if [[ $funcstack[1] == _forgemind ]]; then
  _forgemind "$@"
else
  compdef _forgemind forgemind
fi
`
}
