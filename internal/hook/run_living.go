package hook

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/secret"
)

// A contextFile is the CONTEXT.md of a project.
type contextFile struct{ head, text string }

const (
	mostDocuments = 5
	longDocument  = 64 << 10 // bytes of one that are read
	tellingPart   = 60       // characters that identify a line
)

// livingDocuments returns the CONTEXT.md files of the projects with secrets masked, because a text
// for an agent leaves the machine.
func livingDocuments(tree *fs.Tree) (all []contextFile) {
	projects, _, err := condense.Projects(tree)
	if err != nil {
		return nil
	}
	for _, p := range projects {
		src, err := tree.Read(p.Context)
		if err != nil || len(strings.TrimSpace(string(src))) == 0 {
			continue
		}
		masked, _ := secret.Mask(string(src[:min(len(src), longDocument)]))
		text := strings.TrimSpace(clean(masked))
		if len(src) > longDocument {
			text = cut(text, units(text)-1)
		}
		all = append(all, contextFile{fmt.Sprintf("## CONTEXT.md of %s (%s; %s)\n", oneLine(p.Name, 60), p.Context, asData), text})
		if len(all) == mostDocuments {
			break
		}
	}
	return all
}

var (
	sectionMark = lazyregexp.New(`^<!-- forgemind: .* -->$`)                                         // marks a generated section
	nothing     = lazyregexp.New(`^(?:[-*] )?(?:\w+: )?(?:_not recorded_|None recorded\.|Nothing)$`) // placeholders for empty sections
	item        = lazyregexp.New(`^(?:[-*]|\d+\.) (?:\[[^\]]*\] )?(.+)$`)
	heading     = lazyregexp.New(`^#+ `)
)

// besides returns the lines of the document that told, the text for the agent so far, lacks. It
// leaves out placeholders and headings without content, and returns "" if nothing is left.
func (d contextFile) besides(told string) string {
	told = strings.ToLower(told)
	var kept []string
	for line := range strings.SplitSeq(d.text, "\n") {
		bare := strings.TrimSpace(line)
		if sectionMark.MatchString(bare) || nothing.MatchString(bare) || isTold(bare, told) {
			continue
		}
		kept = append(kept, line)
	}
	kept = withContent(kept)
	if len(kept) == 0 {
		return ""
	}
	return d.head + fenced(sanitize.Text(strings.TrimSpace(strings.Join(kept, "\n")))) + "\n"
}

// isTold reports whether told, a text in lower case, has an item of a list.
func isTold(line, told string) bool {
	m := item.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	what, _, _ := strings.Cut(strings.ToLower(m[1]), " (") // the reason follows
	return len(what) > 3 && strings.Contains(told, what[:min(len(what), tellingPart)])
}

// withContent returns lines without headings that have no content.
func withContent(lines []string) (kept []string) {
	for i, line := range lines {
		if heading.MatchString(line) && !hasContent(lines[i+1:], len(heading.FindString(line))) {
			continue
		}
		if strings.TrimSpace(line) != "" || len(kept) > 0 && kept[len(kept)-1] != "" { // the text between was removed
			kept = append(kept, strings.TrimRight(line, " \t\r"))
		}
	}
	return kept
}

// hasContent reports whether lines have content before the next heading of the same level or a
// higher one.
func hasContent(lines []string, level int) bool {
	for _, line := range lines {
		switch h := heading.FindString(line); {
		case h != "" && len(h) <= level:
			return false
		case h == "" && strings.TrimSpace(line) != "":
			return true
		}
	}
	return false
}

// fenced returns text as a quotation, so that its headings are not taken for ours.
func fenced(text string) string { return "> " + strings.ReplaceAll(text, "\n", "\n> ") }
