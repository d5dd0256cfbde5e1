package lsp

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/validate"
)

// The kinds of code actions.
const (
	quickFix = "quickfix"
	fixAll   = "source.fixAll.forgemind"
)

// codeActions offers the repairs of validate --fix, and the names that hints suggest.
func (s *server) codeActions(ctx context.Context, p documentParams) (any, error) {
	actions := []codeAction{}
	d := s.find(p.TextDocument.URI)
	if d == nil || len(d.src) > maxDocument {
		return actions, nil
	}
	wanted := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool { return kind == only || strings.HasPrefix(kind, only+".") })
	}
	findings := s.findingsOf(d)
	if fixed, done := validate.Fix(d.name, d.src); !bytes.Equal(fixed, d.src) {
		edit := s.editOf(d, d.edit(fixed))
		if wanted(quickFix) {
			actions = append(actions, codeAction{"Repair: " + titleOfFix(done), quickFix, shownBy(p, d, findings, isFixed), edit})
		}
		if wanted(fixAll) {
			actions = append(actions, codeAction{Title: "Repair all that 'forgemind validate --fix' repairs here", Kind: fixAll, Edit: edit})
		}
	}
	if !wanted(quickFix) {
		return actions, ctx.Err()
	}
	for _, f := range findings {
		name := suggestion(f)
		if name == "" || !overlaps(d, f, p.Range) {
			continue
		}
		same := func(g validate.Finding) bool { return g == f }
		actions = append(actions, codeAction{"Change to " + name, quickFix, shownBy(p, d, findings, same), s.editOf(d, d.replacement(f, name))})
	}
	if slices.ContainsFunc(findings, func(f validate.Finding) bool { return isFixed(f) && overlaps(d, f, p.Range) }) {
		actions = append(actions, s.mends(p, d, findings)...)
	}
	return actions, ctx.Err()
}

// editOf returns an edit of one document.
func (s *server) editOf(d *document, edit textEdit) *workspaceEdit {
	return &workspaceEdit{Changes: map[string][]textEdit{d.uri: {edit}}}
}

// titleOfFix returns what a repair did, in short.
func titleOfFix(done []validate.Finding) string {
	if len(done) == 1 {
		return done[0].Message
	}
	return "all that 'forgemind validate --fix' repairs here"
}

// isFixed reports whether the hint of a finding names validate --fix.
func isFixed(f validate.Finding) bool { return strings.Contains(f.Hint, "validate --fix") }

// shownBy returns the diagnostics of a request that show some of the findings.
func shownBy(p documentParams, d *document, findings []validate.Finding, wanted func(validate.Finding) bool) (list []diagnostic) {
	for _, f := range findings {
		if !wanted(f) {
			continue
		}
		shown := diagnosticOf(d, f)
		i := slices.IndexFunc(p.Context.Diagnostics, func(g diagnostic) bool {
			return g.Range == shown.Range && ruleOf(g) == f.Rule && g.Message == shown.Message
		})
		if i >= 0 {
			list = append(list, p.Context.Diagnostics[i])
		}
	}
	return list
}

// overlaps reports whether a finding marks a part of a range.
func overlaps(d *document, f validate.Finding, at span) bool {
	start := d.offsetOf(f)
	return start <= d.offset(at.End) && d.offset(at.Start) <= start+tokenLength(d.name, d.src[start:])
}

// suggestionForm is the form in which hints suggest a name.
var suggestionForm = lazyregexp.New(`^did you mean '?([A-Za-z0-9_.:-]+)'?\?$`)

// suggestion returns the name that the hint of a finding suggests, "" if there is none.
func suggestion(f validate.Finding) string {
	if m := suggestionForm.FindStringSubmatch(f.Hint); m != nil {
		return m[1]
	}
	return ""
}

// replacement returns the edit that writes a name in place of the one that a finding marks.
func (d *document) replacement(f validate.Finding, name string) textEdit {
	start := d.offsetOf(f)
	end := start + tokenLength(d.name, d.src[start:])
	if end > start && d.src[start] == '"' {
		return textEdit{d.span(start, end), quote(name)}
	}
	if w, ok := d.wordAt(start); ok { // a knob
		end = w.end
	}
	return textEdit{d.span(start, end), name}
}

// mends offers the repairs of a document that follow from other documents.
func (s *server) mends(p documentParams, d *document, findings []validate.Finding) (actions []codeAction) {
	o, err := s.overlay(d.root)
	if err != nil {
		return nil
	}
	defer o.Close()
	for _, m := range validate.FixTree(o) {
		if m.Name == d.name && m.Text != nil {
			actions = append(actions, codeAction{"Repair: " + titleOfFix(m.Done), quickFix, shownBy(p, d, findings, isFixed), s.editOf(d, d.edit(m.Text))})
		}
	}
	return actions
}
