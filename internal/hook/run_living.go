package hook

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// A living document is the CONTEXT.md of a project.
type living struct{ head, text string }

const (
	mostDocuments = 5
	longDocument  = 64 << 10 // bytes of one that are looked at
	tellingPart   = 60       // characters of a line that tell it from others
)

// livingDocuments returns the CONTEXT.md files of the projects, with a word behind what
// names a superseded decision. Secrets are masked: what an agent is told leaves the machine.
func livingDocuments(tree *fs.Tree, standing schema.Standing) (all []living) {
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
		text := strings.TrimSpace(clean(standing.Mark(masked)))
		if len(src) > longDocument {
			text = cut(text, units(text)-1)
		}
		all = append(all, living{fmt.Sprintf("## CONTEXT.md of %s (%s; %s)\n", oneLine(p.Name, 60), p.Context, asData), text})
		if len(all) == mostDocuments {
			break
		}
	}
	return all
}

var (
	sectionMark = lazyregexp.New(`^<!-- forgemind:.* -->$`)                                          // marks what we keep
	nothing     = lazyregexp.New(`^(?:[-*] )?(?:\w+: )?(?:_not recorded_|None recorded\.|Nothing)$`) // is recorded, says one
	item        = lazyregexp.New(`^(?:[-*]|\d+\.) (?:\[[^\]]*\] )?(.+)$`)
	heading     = lazyregexp.New(`^#+ `)
)

// besides is the document without what is told already, what says nothing, and
// headings that nothing stands under; "" where nothing is left of it.
func (d living) besides(told string) string {
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

// isTold says whether an item of a list stands in told, which is in lower case.
func isTold(line, told string) bool {
	m := item.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	what, _, _ := strings.Cut(strings.ToLower(m[1]), " (") // the reason follows
	return len(what) > 3 && strings.Contains(told, what[:min(len(what), tellingPart)])
}

// withContent are lines without headings that nothing stands under.
func withContent(lines []string) (kept []string) {
	for i, line := range lines {
		if heading.MatchString(line) && !hasContent(lines[i+1:], len(heading.FindString(line))) {
			continue
		}
		if strings.TrimSpace(line) != "" || len(kept) > 0 && kept[len(kept)-1] != "" { // what stood between is gone
			kept = append(kept, strings.TrimRight(line, " \t\r"))
		}
	}
	return kept
}

// hasContent says whether something stands in lines before the next heading that is
// no deeper than level.
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

// fenced sets a text apart, so that its headings are not taken for ours.
func fenced(text string) string { return "> " + strings.ReplaceAll(text, "\n", "\n> ") }
