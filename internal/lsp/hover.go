package lsp

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/internal/yaml"
	"github.com/forgemind/forgemind/validate"
)

// hover explains what is at a position: the rules of findings, the record that an id names, the
// field, the setting.
func (s *server) hover(ctx context.Context, p documentParams) (any, error) {
	d := s.find(p.TextDocument.URI)
	if d == nil || len(d.src) > maxDocument {
		return nil, nil
	}
	offset := d.offset(p.Position)
	parts := s.explainFindings(d, offset)
	var at *span
	if w, ok := d.wordAt(offset); ok {
		if t := s.thingsOf(d.root).byID[w.id]; t != nil {
			parts = append(parts, describeThing(t))
			r := d.span(w.start, w.end)
			at = &r
		}
	}
	if about := s.explainField(d, offset); about != "" {
		parts = append(parts, about)
	}
	if len(parts) == 0 || ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return hover{s.markup(strings.Join(parts, "\n\n---\n\n")), at}, nil
}

// markup returns a markdown text in a form that the editor shows.
func (s *server) markup(value string) markup {
	formats := s.client.Capabilities.TextDocument.Hover.ContentFormat
	if len(formats) > 0 && !slices.Contains(formats, "markdown") {
		return markup{"plaintext", value}
	}
	return markup{"markdown", value}
}

// explainFindings returns the help texts of the rules whose findings are at an offset.
func (s *server) explainFindings(d *document, offset int) (parts []string) {
	seen := map[string]bool{}
	for _, f := range s.findingsOf(d) {
		start := d.offsetOf(f)
		if offset < start || offset > start+tokenLength(d.name, d.src[start:]) || seen[f.Rule] {
			continue
		}
		seen[f.Rule] = true
		if rule, ok := validate.Lookup(f.Rule); ok {
			parts = append(parts, fmt.Sprintf("**%s** (%s): %s\n\n%s", rule.Name, f.Severity, rule.Summary, strings.TrimSpace(rule.Help)))
		}
	}
	return parts
}

// findingsOf returns the findings of an open document, and those that the last check of the tree had
// about it.
func (s *server) findingsOf(d *document) []validate.Finding {
	o, err := s.overlay(d.root)
	if err != nil {
		return validate.Bytes(d.name, d.src, validate.Options{})
	}
	defer o.Close()
	if validate.Foreign(o) {
		return nil
	}
	found := validate.In(o, d.name, d.src)
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(found, s.project(d.root).across[d.name]...)
}

// mostText is the length of the longest text of a tree in a hover, in characters.
const mostText = 600

// describeThing returns what a hover says about a record.
func describeThing(t *query.Thing) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** %s", escape(t.Kind), escape(t.ID))
	status := t.Status
	if t.SupersededBy != "" {
		status = "superseded by " + t.SupersededBy
	}
	for _, part := range []string{status, t.Time, t.By} {
		if part != "" {
			b.WriteString(" · " + escape(part))
		}
	}
	fmt.Fprintf(&b, "\n\n%s", escape(text.Head(t.Title, mostText)))
	if said := strings.TrimSpace(t.Text); said != "" && text.OneLine(said) != text.OneLine(t.Title) {
		b.WriteString("\n")
		for line := range strings.Lines(text.Head(said, mostText)) {
			fmt.Fprintf(&b, "\n> %s", escape(strings.TrimRight(line, "\r\n")))
		}
	}
	fmt.Fprintf(&b, "\n\n%s", escape(t.File))
	return b.String()
}

// escape returns a text of a tree as markdown that shows it and nothing else.
func escape(s string) string {
	var b strings.Builder
	for _, r := range sanitize.Text(s) {
		if r < 0x80 && strings.ContainsRune("\\`*_{}[]()<>#+!|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// explainField returns what is known about the field or the setting at an offset.
func (s *server) explainField(d *document, offset int) string {
	if fs.Place(d.name) == fs.DocKnobs {
		return s.explainKnob(d, offset)
	}
	c, ok := d.cursorAt(offset)
	if !ok || c.start == c.end {
		return ""
	}
	at := c.path
	if c.key {
		at = append(slices.Clone(at), unquote(d.src[c.start:c.end]))
	}
	if len(at) == 0 {
		return ""
	}
	if fs.Place(d.name) == fs.DocConfig && s.Explain != nil {
		if told, ok := s.Explain(strings.Join(at, ".")); ok {
			return fence(told)
		}
	}
	doc, rest := s.schemaOf(d.name, at)
	if doc == nil || len(rest) == 0 {
		return ""
	}
	nodes := doc.find(rest)
	if len(nodes) == 0 {
		return ""
	}
	return doc.field(nodes).markdown(rest[len(rest)-1])
}

// markdown returns the description of a field.
func (f field) markdown(name string) string {
	said := "**" + escape(name) + "**"
	if f.kind != "" {
		said += " (" + f.kind + ")"
	}
	if f.text != "" {
		said += ": " + f.text
	}
	if len(f.allowed) > 0 {
		said += "\n\nOne of: `" + strings.Join(f.allowed, "`, `") + "`"
	}
	if f.fallback != "" {
		said += "\n\nDefault: `" + f.fallback + "`"
	}
	return said
}

// explainKnob returns the description of the knob in the line of an offset.
func (s *server) explainKnob(d *document, offset int) string {
	line := d.position(offset).Line
	start := d.lines[line]
	pairs, err := yaml.Pairs(d.src[start:d.lineEnd(line)])
	if err != nil || len(pairs) == 0 || s.Explain == nil {
		return ""
	}
	told, ok := s.Explain(pairs[0].Key)
	if !ok {
		return ""
	}
	return fence(told)
}

// fence returns a text with columns as markdown.
func fence(s string) string { return "```text\n" + strings.TrimRight(s, "\n") + "\n```" }

// titleOf returns the title of a thing on one line.
func titleOf(t *query.Thing) string {
	return text.Limit(sanitize.Text(text.Line(cmp.Or(t.Title, path.Base(t.File)))), 100)
}
