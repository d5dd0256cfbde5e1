package compact

import (
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

var (
	movedOut = lazyregexp.New(`: ([\d,]+) summarised, ([\d,]+) dropped`)
	hadLeft  = lazyregexp.New(`([\d,]+) more had left before\.`)
	pointed  = lazyregexp.New(`^([\d,]+) messages? (?:is|are) in cold storage\.`)
	areOpen  = lazyregexp.New(`([\d,]+) questions? (?:is|are) open\.`)
	cutLines = lazyregexp.New(`^… and (\d+) more, see cold storage$`)
	andMore  = lazyregexp.New(`^and (\d+) more$`)
	toolUsed = lazyregexp.New(`^(.+) ([\d,]+)$`)
)

// merge adds the content of an earlier summary. It leaves out decisions and questions that
// are still messages of the talk. A summary in another form becomes a line.
func (g *gist) merge(text string, here map[string]bool) {
	if !strings.HasPrefix(text, title+"\n") {
		g.earlier = append(g.earlier, point(oneLine(text, earlierLength)))
		return
	}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "## "); ok {
			section = name
			continue
		}
		if section == "" {
			g.pointer = g.pointer || pointed.MatchString(line)
			g.open += figures(areOpen, line)
			g.before += figures(movedOut, line) + figures(hadLeft, line) + figures(pointed, line)
			continue
		}
		if item, ok := strings.CutPrefix(line, "- "); ok {
			g.take(section, oneLine(item, decisionLength+200), here)
		}
	}
}

// take adds a point of an earlier summary to its section.
func (g *gist) take(section, item string, here map[string]bool) {
	if m := cutLines.FindStringSubmatch(item); m != nil {
		g.cut[section] += number(m[1])
		return
	}
	id, _, _ := strings.Cut(item, ": ")
	switch section {
	case requestsTitle:
		g.requests = append(g.requests, item)
	case decisionsTitle:
		if !here[id] {
			g.decisions = append(g.decisions, item)
		}
	case questionsTitle:
		if !here[id] {
			g.questions = append(g.questions, item)
		}
	case clarificationsTitle:
		g.clarifications = append(g.clarifications, item)
	case layersTitle:
		g.layers = append(g.layers, item)
	case doneTitle:
		g.done = append(g.done, item)
	case filesTitle:
		g.files = append(g.files, item)
	case earlierTitle:
		g.earlier = append(g.earlier, item)
	case outsideTitle:
		for id := range strings.SplitSeq(item, ", ") {
			if m := andMore.FindStringSubmatch(id); m != nil {
				g.cut[section] += number(m[1])
			} else if !here[id] {
				g.outside = append(g.outside, id)
			}
		}
	case mentionedTitle, identifiersTitle:
		into := &g.mentioned
		if section == identifiersTitle {
			into = &g.identifiers
		}
		for name := range strings.SplitSeq(item, ", ") {
			if !andMore.MatchString(name) {
				*into = append(*into, name)
			}
		}
	case commandsTitle:
		g.commands = append(g.commands, item)
	case errorsTitle:
		g.errors = append(g.errors, item)
	case toolsTitle:
		for tool := range strings.SplitSeq(item, ", ") {
			if m := toolUsed.FindStringSubmatch(tool); m != nil {
				g.tools[m[1]] += number(m[2])
			}
		}
	}
}

// figures returns the sum of the numbers that a pattern finds in line.
func figures(pattern *lazyregexp.Regexp, line string) (sum int) {
	m := pattern.FindStringSubmatch(line)
	for _, group := range m[min(1, len(m)):] {
		sum += number(group)
	}
	return sum
}

// number parses a number with thousands separators; 0 for anything that is no count of
// messages.
func number(s string) int {
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	if err != nil || n < 0 || n > 1e9 {
		return 0
	}
	return n
}
