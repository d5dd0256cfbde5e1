package main

import "strings"

// A section is a part of a command's description: a paragraph on one line, rows of a table,
// or command lines that are examples.
type section struct {
	kind  sectionKind
	lines []string
}

type sectionKind int

const (
	paragraphSection sectionKind = iota
	tableSection
	exampleSection
)

// sections splits a description into sections.
func sections(description string) []section {
	var all []section
	begun := false // the last section is an unfinished paragraph
	for line := range strings.Lines(description) {
		line = strings.TrimRight(line, "\n")
		kind := paragraphSection
		if left, _ := tableRow(line); left != "" {
			kind = tableSection
		}
		if text, ok := example(line); ok {
			kind, line = exampleSection, text
		}
		last := len(all) - 1
		switch {
		case line == "":
			begun = false
			continue
		case kind == paragraphSection && begun && !strings.HasPrefix(line, "'forgemind"):
			all[last].lines[0] += " " + line
		case kind != paragraphSection && last >= 0 && all[last].kind == kind:
			all[last].lines = append(all[last].lines, line)
		default:
			all = append(all, section{kind, []string{line}})
		}
		begun = kind == paragraphSection
	}
	return all
}

// example returns the command line in a line of a description. It returns false if the line has
// other text.
func example(line string) (string, bool) {
	text, ok := strings.CutPrefix(strings.TrimSuffix(line, "."), "'")
	if !ok || !strings.HasSuffix(text, "'") || strings.Contains(text, "' ") {
		return "", false
	}
	return strings.TrimSuffix(text, "'"), true
}
