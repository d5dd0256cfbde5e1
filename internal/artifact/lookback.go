package artifact

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// maxSummaries is the largest number of session summaries in a View, maxVersioned that of artifacts
// whose versions it lists.
const (
	maxSummaries = 10
	maxVersioned = 5
)

// history adds load layer 3: session summaries, all clarifications, and the version history of the
// artifacts that were shown.
func (v *view) history(ctx context.Context, r fs.Reader, shown []schema.Artifact, s Sources) error {
	v.summaries(r)
	if err := v.clarifications(r); err != nil {
		return err
	}
	return v.versions(ctx, shown, s)
}

// summaries adds the newest session summaries, oldest first. Their names begin with the date.
func (v *view) summaries(r fs.Reader) {
	var names []string
	for name, err := range r.Names(fs.Summaries) {
		if err == nil && markdown(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		v.add(3, "Session summaries", "None.\n")
	}
	if older := len(names) - maxSummaries; older > 0 {
		v.add(3, "Session summaries", fmt.Sprintf("%d older ones are in %s.\n", older, fs.Summaries))
		names = names[older:]
	}
	for _, name := range names {
		title := "Session summary: " + strings.TrimSuffix(path.Base(name), path.Ext(name))
		content, err := readText(r, name)
		if err != nil {
			v.add(3, title, line("It cannot be read: "+err.Error(), maxPoint)+"\n")
			continue
		}
		v.add(3, title, fenced(target{artifact: schema.Artifact{Path: name}, content: content}))
	}
}

// clarifications adds all clarifications.
func (v *view) clarifications(r fs.Reader) error {
	all, alien, err := readClarifications(r)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, c := range all {
		text := c.Question
		if c.ID != "" {
			text = c.ID + ": " + text
		}
		fmt.Fprintf(&b, "- %s\n", line(text, maxPoint))
		answer := "(no answer)"
		if c.Answer != "" {
			answer = c.Answer
		}
		if c.AnsweredBy != "" {
			answer += " (" + c.AnsweredBy + ")"
		}
		fmt.Fprintf(&b, "  - %s\n", line(answer, 4*maxPoint))
	}
	if alien > 0 {
		fmt.Fprintf(&b, "\nClarifications that could not be read: %d.\n", alien)
	}
	if b.Len() == 0 {
		b.WriteString("None.\n")
	}
	v.add(3, "Clarifications", b.String())
	return nil
}

// versions adds the times at which the files of artifacts changed.
func (v *view) versions(ctx context.Context, shown []schema.Artifact, s Sources) error {
	told := 0
	for _, a := range shown {
		if s.Versions == nil || a.Path == "" || told == maxVersioned {
			continue
		}
		told++
		lines, err := s.Versions(ctx, clean(a.Path))
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		text := points(len(lines), "No commit has it.", func(i int) string { return lines[i] })
		if err != nil {
			text = line("Not known: "+err.Error(), maxPoint) + "\n"
		}
		v.add(3, "Version history: "+a.ID, text)
	}
	if told == 0 {
		v.add(3, "Version history", "Nothing to tell.\n")
	}
	return nil
}
