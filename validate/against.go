package validate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Against is rule set 3: every decision that before holds, in its Ledger or a
// view, is still in the Ledger or a view of after, and says the same. Both may
// also be Readers of a single State. The findings have the severities that the
// config of before sets.
func Against(before, after fs.Reader) ([]Finding, error) {
	old, now := newMemory(), newMemory()
	if err := old.remember(before, "."); err != nil {
		return nil, fmt.Errorf("read the earlier decisions: %w", err)
	}
	if err := now.remember(after, "."); err != nil {
		return nil, fmt.Errorf("read the decisions: %w", err)
	}
	g := &guard{after: after, severity: newSeverities(Configured(before))}
	g.lost(old, now)
	g.changed(old, now)
	slices.SortFunc(g.out, Compare)
	return g.out, nil
}

// A guard collects what became of decisions.
type guard struct {
	after    fs.Reader
	severity severities
	out      []Finding
	doc      jsonedit.Doc // to parse with
}

// lost reports decisions that are nowhere any more, one finding for each place
// that held them. The Ledger comes first: a view that lost the same is not
// reported again.
func (g *guard) lost(old, now *memory) {
	said := map[string]bool{}
	places := map[string][]string{}
	for _, ledger := range []bool{true, false} {
		for _, h := range old.all {
			if h.ledger == ledger && !now.knows(h) && !said[h.title()] {
				said[h.title()] = true
				places[h.name] = append(places[h.name], h.title())
			}
		}
	}
	for name, titles := range places {
		g.reportLost(name, titles)
	}
}

func (g *guard) reportLost(name string, titles []string) {
	slices.Sort(titles)
	pointer := ""
	if list := viewList(fs.Place(name)); list != "" {
		pointer = "/" + list
	}
	g.report(lostDecision, name, pointer, "Lost decisions: "+plainList(titles),
		"bring them back from the revision before; a decision that no longer holds is superseded by a new one, never removed")
}

// changed reports decisions that say something else than before: files of the
// Ledger by their bytes, decisions that only a view held by their words.
func (g *guard) changed(old, now *memory) {
	for _, h := range old.all {
		switch {
		case h.ledger:
			g.changedFile(h, old, now)
		case h.id != "" && !slices.ContainsFunc(old.ids[h.id], func(o held) bool { return o.ledger }):
			g.changedWords(h, now.ids[h.id])
		}
	}
}

// changedFile compares a file of the Ledger with what stands there now, or where
// the decision has gone.
func (g *guard) changedFile(h held, old, now *memory) {
	name := h.name
	src, ok := now.sources[name]
	if !ok {
		i := slices.IndexFunc(now.ids[h.id], func(n held) bool { return n.ledger })
		if i < 0 {
			g.changedWords(h, now.ids[h.id])
			return
		}
		name = now.ids[h.id][i].name
		src = now.sources[name]
	}
	if !bytes.Equal(src, old.sources[h.name]) {
		g.reportChanged(name, h.id, old.sources[h.name], src)
	}
}

// changedWords compares a decision with those that have its id now. One of them
// saying the same is enough: the others are for duplicate-id.
func (g *guard) changedWords(h held, now []held) {
	if len(now) == 0 || slices.ContainsFunc(now, func(n held) bool { return n.words == h.words }) {
		return
	}
	g.report(changedDecision, now[0].name, g.wordsOf(now[0]),
		fmt.Sprintf("Changed decision: %s says %s now, before it said %s", plain(h.id), quoted(now[0].words), quoted(h.words)),
		"bring the words back; what holds now is a new decision that supersedes this one")
}

// wordsOf is the pointer of a decision in a view.
func (g *guard) wordsOf(h held) string {
	src, err := g.after.Read(h.name)
	if err != nil {
		return ""
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return ""
	}
	for e := range doc.Children(doc.Member(0, viewList(fs.Place(h.name)))) {
		id, words := decisionMembers(doc, e)
		if s, _ := doc.Str(id); s == h.id && words >= 0 {
			return doc.Pointer(words)
		}
	}
	return ""
}

// reportChanged reports a file of the Ledger whose bytes changed, at the first
// member that did.
func (g *guard) reportChanged(name, id string, before, after []byte) {
	members := changedMembers(before, after)
	pointer, what := "", "its text, though not its meaning"
	if len(members) > 0 {
		pointer = "/" + strings.ReplaceAll(strings.ReplaceAll(members[0], "~", "~0"), "/", "~1")
		what = plainList(members)
	} else if _, err := jsonedit.Parse(after); err != nil {
		what = "it is no JSON any more"
	}
	g.report(changedDecision, name, pointer, "Changed decision: "+plain(id)+" is not what was recorded: "+what,
		"bring the file back from the revision before; what holds now is a new decision that supersedes this one")
}

// changedMembers are the members of an object that differ between two texts.
func changedMembers(before, after []byte) (out []string) {
	old, err := jsonedit.Parse(before)
	now, err2 := jsonedit.Parse(after)
	if err != nil || err2 != nil {
		return nil
	}
	seen := map[string]bool{}
	for c := range now.Children(0) {
		key := now.Key(c)
		seen[key] = true
		if o := old.Member(0, key); o < 0 || !bytes.Equal(old.Raw(o), now.Raw(c)) {
			out = append(out, key)
		}
	}
	for c := range old.Children(0) {
		if key := old.Key(c); !seen[key] {
			out = append(out, key)
		}
	}
	return out
}

// report places a finding in after, where the document is still there.
func (g *guard) report(rule Rule, name, pointer, message, hint string) {
	s := g.severity[ruleIndex(rule.Name)]
	if s == Off {
		return
	}
	f := Finding{File: name, Line: 1, Column: 1, Column16: 1, Pointer: pointer, Rule: rule.Name, Severity: s, Message: message, Hint: hint}
	if src, err := g.after.Read(name); err == nil {
		src, _ = bytes.CutPrefix(src, byteOrderMark)
		if doc, err := jsonedit.Parse(src); err == nil {
			if node := doc.Find(pointer); node >= 0 {
				pen := placer{src: src}
				f.Line, f.Column, f.Column16 = pen.at(int(doc.Nodes[node].Start))
			}
		}
	}
	g.out = append(g.out, f)
}
