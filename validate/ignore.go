package validate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/text"
)

// An ignore accepts the findings of a rule in some documents.
type ignore struct {
	spot
	rule, path, reason string
	comment            bool // it is a comment in the document at path
}

// ignoreMark introduces a comment that ignores a rule in its document.
const ignoreMark = "forgemind: ignore"

// ignoreComments returns the comments in a YAML or markdown document that ignore a rule.
// In YAML such a comment is "# forgemind: ignore RULE REASON", in markdown
// "<!-- forgemind: ignore RULE REASON -->" at the beginning of a line, outside of fenced
// code.
func ignoreComments(name string, src []byte) (found []ignore) {
	if !bytes.Contains(src, []byte(ignoreMark)) {
		return nil
	}
	offset, fenced := 0, false
	for raw := range bytes.Lines(src) {
		line, at := string(raw), 0
		switch {
		case strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml"):
			if at = strings.Index(line, "# "+ignoreMark); at > 0 && line[at-1] != ' ' && line[at-1] != '\t' {
				at = -1
			}
			line = strings.TrimSpace(line[max(at, 0):])
		default:
			at = len(line) - len(strings.TrimLeft(line, " "))
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
				fenced = !fenced
			}
			var whole bool
			if line, whole = strings.CutSuffix(line, "-->"); !whole || fenced || !strings.HasPrefix(line, "<!-- "+ignoreMark) {
				at = -1
			}
		}
		if at >= 0 && len(found) < maxEntries {
			found = append(found, ignoreComment(name, offset+at, line))
		}
		offset += len(raw)
	}
	return found
}

// ignoreComment parses one comment.
func ignoreComment(name string, offset int, line string) ignore {
	_, rest, _ := strings.Cut(line, ignoreMark)
	rule, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
	return ignore{spot: spot{name: name, offset: offset}, rule: rule, path: name, reason: strings.TrimSpace(reason), comment: true}
}

// preservation lists the rules about lost and altered records. Nothing but their
// severity for the whole tree, which --against takes from the older side, turns them
// off: an ignored finding of them would hide the loss.
var preservation = []string{lostName, changedName, lostRecordName, changedRecordName}

func isPreservation(rule string) bool { return slices.Contains(preservation, rule) }

// IsAcceptable reports whether an ignore or a Baseline may accept a finding: not one
// about a record that was lost or altered, nor one that keeps a decision from being
// read.
func IsAcceptable(f Finding) bool {
	if isPreservation(f.Rule) {
		return false
	}
	unreadable := []string{jsonSyntax.Name, encoding.Name, conflictMarker.Name, tooLarge.Name, tooDeep.Name, irregularFile.Name}
	return placeKind(f.File) != fs.DocDecision || !slices.Contains(unreadable, f.Rule)
}

// settle applies p and the comments of documents to findings. It returns those that count,
// and those that are ignored, and appends findings about p and the comments to the former.
// alone has the names of the documents if each was validated by itself, and is nil if all
// rules ran on all documents.
func (p *Policy) settle(r fs.Reader, found []Finding, comments []ignore, alone []string) (kept, ignored []Finding) {
	if p == nil && len(comments) == 0 {
		return found, nil
	}
	if p == nil {
		p = new(Policy)
	}
	base := p.severities()
	ignores := append(slices.Clone(comments), p.ignores...)
	used := make([]bool, len(ignores))
	for _, f := range found {
		if slices.ContainsFunc(p.rules, func(r pathRule) bool { return r.rule == f.Rule }) {
			f.Severity = p.at(f.Rule, f.File, base[ruleIndex(f.Rule)])
		}
		if f.Severity == Off {
			continue
		}
		i := slices.IndexFunc(ignores, func(g ignore) bool { return g.accepts(f) })
		if i < 0 {
			kept = append(kept, f)
			continue
		}
		for k := i; k < len(ignores); k++ {
			used[k] = used[k] || ignores[k].accepts(f)
		}
		f.Reason, f.InSource = ignores[i].reason, ignores[i].comment
		ignored = append(ignored, f)
	}
	n := &policyNotes{policy: p, reader: r, severity: base}
	for i, g := range ignores {
		n.ignore(g, used[i], alone == nil)
	}
	for _, rule := range p.rules {
		if isPreservation(rule.rule) && alone == nil {
			n.at(ignoredSettingName, rule.spot, rule.rule+" has one severity for the whole tree, so that no path hides a loss", "remove the path; with --against the older side's config decides")
		}
	}
	for _, e := range p.schemas {
		matches := func(name string) bool { matched, _ := text.MatchPath(e.match, name); return matched || name == p.name }
		if alone == nil || slices.ContainsFunc(alone, matches) {
			n.schema(e)
		}
	}
	return append(kept, n.out...), ignored
}

// accepts reports whether the finding f is ignored.
func (g ignore) accepts(f Finding) bool {
	if g.rule != f.Rule || g.reason == "" || !IsAcceptable(f) {
		return false
	}
	if g.comment {
		return g.path == f.File
	}
	matched, _ := text.MatchPath(g.path, f.File)
	return matched
}

// policyNotes collects the findings about a Policy and comments.
type policyNotes struct {
	policy   *Policy
	reader   fs.Reader
	severity severities
	out      []Finding
}

// The names of rules, for functions that rules must not refer to.
const (
	ignoredSettingName = "ignored-setting"
	unusedIgnoreName   = "unused-ignore"
)

// ignore reports an ignore that is not followed, or that accepts nothing.
func (n *policyNotes) ignore(g ignore, used, whole bool) {
	rule, known := Lookup(g.rule)
	alone := rule.across == nil && (rule.whole != nil || rule.record != nil)
	switch {
	case !known && g.comment:
		n.at(ignoredSettingName, g.spot, "no rule is called "+plain(g.rule)+", so nothing is ignored", "forgemind explain lists the rules")
	case !known: // dangling-reference
	case g.reason == "":
		n.at(ignoredSettingName, g.spot, "a reason is missing, so "+g.rule+" is not ignored", "write why after the name of the rule")
	case isPreservation(g.rule):
		n.at(ignoredSettingName, g.spot, g.rule+" cannot be ignored, because that would hide a loss", "bring back what was recorded, or turn the rule off for the whole tree with validation.severity")
	case !used && (whole || g.comment && alone):
		n.at(unusedIgnoreName, g.spot, "no finding of "+g.rule+" is ignored by this", "remove it, or correct the rule or the path")
	}
}

// schema reports a schema that cannot be used.
func (n *policyNotes) schema(e schemaEntry) {
	if _, err := e.compile(); err != nil {
		n.at(schemaFile.Name, e.spot, err.Error(), "'forgemind explain schema-file' says what a schema may be")
	}
}

// at reports a finding of a rule at a spot.
func (n *policyNotes) at(rule string, at spot, message, hint string) {
	s := n.policy.at(rule, at.name, n.severity[ruleIndex(rule)])
	if s == Off {
		return
	}
	f := Finding{File: at.name, Pointer: at.pointer, Rule: rule, Severity: s, Message: message, Hint: hint}
	var pen placer
	if src, err := n.reader.Read(at.name); err == nil {
		pen.src, _ = bytes.CutPrefix(src, byteOrderMark)
	}
	f.Line, f.Column, f.Column16 = pen.at(at.offset)
	n.out = append(n.out, f)
}
