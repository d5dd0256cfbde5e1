package main

import (
	"fmt"
	"strings"
)

// fishScript returns the completion script for fish. It has a rule for each word, and one for the
// output of 'forgemind complete'.
func fishScript(levels []completionLevel) string {
	var b strings.Builder
	b.WriteString(`# fish completion for forgemind
function __forgemind_command --description 'Print the command that the words so far name'
    set -l command forgemind
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
`)
	for _, l := range levels {
		fmt.Fprintf(&b, "            case '%s'\n                set command '%s'\n", strings.Join(l.called, "' '"), l.path)
	}
	b.WriteString(`        end
    end
    echo $command
end
function __forgemind_at --description 'Do the words so far name this command?'
    set -l line (commandline -opc | string collect)
    if test "$line" != "$__forgemind_line"
        set -g __forgemind_line $line
        set -g __forgemind_named (__forgemind_command)
    end
    test "$__forgemind_named" = "$argv"
end
function __forgemind_ask --description 'Print the ids and names that can follow'
    set -l before (commandline -opc)[2..-1]
    if string match -q -- '--*=*' (commandline -ct)
        set -a before (string replace -r '=.*' '' -- (commandline -ct))
    end
    command forgemind complete -- $before 2>/dev/null
end
`)
	for _, l := range levels {
		b.WriteString(fishRules(l))
	}
	return b.String()
}

// fishRules returns the rules of a level.
func fishRules(l completionLevel) string {
	var b strings.Builder
	at := fmt.Sprintf("complete -c forgemind -n '__forgemind_at %s'", l.path)
	if l.asks[""] {
		files := " -f"
		if l.files {
			files = ""
		}
		fmt.Fprintf(&b, "%s%s -k -a '(__forgemind_ask)'\n", at, files)
	}
	for _, word := range l.words {
		name, isFlag := strings.CutPrefix(word, "--")
		choices, valued := l.values[word]
		switch {
		case choices != nil:
			fmt.Fprintf(&b, "%s -l %s -x -a '%s'\n", at, name, strings.Join(choices, " "))
		case l.asks[word]:
			fmt.Fprintf(&b, "%s -l %s -x -k -a '(__forgemind_ask)'\n", at, name)
		case valued:
			fmt.Fprintf(&b, "%s -l %s -r\n", at, name)
		case isFlag:
			fmt.Fprintf(&b, "%s -l %s\n", at, name)
		default:
			fmt.Fprintf(&b, "%s -f -a '%s'\n", at, word)
		}
	}
	return b.String()
}
