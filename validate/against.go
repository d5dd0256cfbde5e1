package validate

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Against is rule set 3, and the same for records: what before holds, after holds as
// well, and the same. A file of the Ledger is the record of its decision: it is still there,
// in whichever folder, byte for byte. The record of a decision that only a view
// held is that view's entry: it is still in this view, or it is in the Ledger, and
// says the same. The file of another record, or of a change of one, is still there, in
// whichever home, and says the same. Both may also be Readers of a single State. The findings have the
// severities that the config of before sets.
func Against(before, after fs.Reader) ([]Finding, error) {
	old, now := newMemory(), newMemory()
	if err := old.remember(before, "."); err != nil {
		return nil, fmt.Errorf("read the earlier decisions: %w", err)
	}
	if err := now.remember(after, "."); err != nil {
		return nil, fmt.Errorf("read the decisions: %w", err)
	}
	g := &guard{after: after, weights: weightsOf(newSeverities(Configured(before)))}
	g.lost(old, now)
	g.changed(old, now)
	if err := g.records(before); err != nil {
		return nil, fmt.Errorf("read the earlier records: %w", err)
	}
	slices.SortFunc(g.out, Compare)
	return g.out, nil
}

// Altered reports the files of the Ledger, and the views, at names that do not hold any
// more what before holds of decisions. The findings have the severities that the
// config of before sets.
func Altered(before, after fs.Reader, names []string) ([]Finding, error) {
	g := &guard{after: after, weights: weightsOf(newSeverities(Configured(before)))}
	err := g.decisions(before, names)
	slices.SortFunc(g.out, Compare)
	return g.out, err
}

// A guard collects what became of decisions and of records.
type guard struct {
	after   fs.Reader
	weights weights
	out     []Finding
	doc     jsonedit.Doc // to parse with
}

// The rules that a guard reports by.
const (
	lostName    = "lost-decision"
	changedName = "changed-decision"

	lostRecordName    = "lost-record"
	changedRecordName = "changed-record"
)

// weights are the severities of the rules that a guard reports by.
type weights map[string]Severity

func weightsOf(s severities) weights {
	w := weights{}
	for _, name := range []string{lostName, changedName, lostRecordName, changedRecordName} {
		w[name] = s[ruleIndex(name)]
	}
	return w
}

// lost reports the decisions of the Ledger whose files are gone, each at its file,
// whatever views show; and those that only views held, one finding for each view.
func (g *guard) lost(old, now *memory) {
	said := map[string]bool{}
	places := map[string][]string{}
	for _, ledger := range []bool{true, false} {
		for _, h := range old.all {
			if h.ledger != ledger || said[h.title()] || !ledger && len(old.recorded(h)) > 0 {
				continue
			}
			if len(now.recorded(h)) == 0 && (ledger || len(now.inView(h)) == 0) {
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
	g.report(lostName, name, pointer, "Lost decisions: "+plainList(titles),
		"bring them back from the revision before; a decision that no longer holds is superseded by a new one, never removed")
}

// changed reports decisions that say something else than before: files of the
// Ledger by their bytes, decisions that only a view held by their members.
func (g *guard) changed(old, now *memory) {
	for _, h := range old.all {
		switch {
		case h.ledger:
			g.changedFile(h, old, now)
		case len(old.recorded(h)) == 0:
			g.changedEntry(h, now)
		}
	}
}

// changedFile compares a file of the Ledger with what stands there now, or where
// the decision has gone.
func (g *guard) changedFile(h held, old, now *memory) {
	name := h.name
	src, ok := now.sources[name]
	if !ok {
		moved := now.recorded(h)
		if len(moved) == 0 {
			return // it is lost
		}
		name, src = moved[0].name, moved[0].raw
	}
	if !bytes.Equal(src, old.sources[h.name]) {
		g.reportChanged(name, h.id, old.sources[h.name], src)
	}
}

// onlyNamed reports whether the file of a decision differs from what it was by its id
// alone, which only its name said before.
func onlyNamed(before, after []byte, name string) bool {
	m := &mender{name: name, src: before}
	m.nameRecord()
	return bytes.Equal(m.src, after)
}

// changedEntry compares a decision that only a view held with its file in the
// Ledger, where it has one now, else with what the view says now. One entry that
// says the same is enough: the others are for duplicate-id.
func (g *guard) changedEntry(h held, now *memory) {
	if files := now.recorded(h); len(files) > 0 {
		if names := differing(h.raw, files[0].raw); len(names) > 0 {
			g.reportEntry(files[0], h, names)
		}
		return
	}
	entries := now.inView(h)
	if len(entries) > 0 && !slices.ContainsFunc(entries, func(n held) bool { return n.says(h) }) {
		g.reportEntry(entries[0], h, entries[0].changes(h))
	}
}

// reportEntry reports a decision that says otherwise now than h, which a view held.
func (g *guard) reportEntry(now, h held, names []string) {
	message := "Changed decision: " + plain(h.title()) + " is not what was recorded: " + plainList(names)
	if slices.Contains(names, "decision") {
		message = fmt.Sprintf("Changed decision: %s says %s now, before it said %s", plain(h.title()), quoted(now.words), quoted(h.words))
	}
	g.report(changedName, now.name, now.pointer(names[0]), message,
		"bring back what was recorded; what holds now is a new decision that supersedes this one")
}

// reportChanged reports a file of the Ledger whose bytes changed, at the first
// member that did.
func (g *guard) reportChanged(name, id string, before, after []byte) {
	if onlyNamed(before, after, name) {
		return
	}
	members := changedMembers(before, after)
	pointer, what := "", "its text, though not its meaning"
	if len(members) > 0 {
		pointer = pointerTo(members[0])
		what = plainList(members)
	} else if _, err := jsonedit.Parse(after); err != nil {
		what = "it is no JSON any more"
	}
	g.report(changedName, name, pointer, "Changed decision: "+plain(id)+" is not what was recorded: "+what,
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
func (g *guard) report(rule, name, pointer, message, hint string) {
	s := g.weights[rule]
	if s == Off {
		return
	}
	f := Finding{File: name, Line: 1, Column: 1, Column16: 1, Pointer: pointer, Rule: rule, Severity: s, Message: message, Hint: hint}
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
