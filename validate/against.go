package validate

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// Against is rule set 3 for records of every kind: what before holds, after holds as well,
// and the same. The file of a record, or of a change of one, is still there, in whichever
// home, and says the same; that of a decision byte for byte. The record of a decision that only
// a view held is that view's entry: it is still in this view, or it is in the Ledger, and
// says the same. Both may also be Readers of a single State. The findings have the
// severities that the config of before sets.
func Against(before, after fs.Reader) ([]Finding, error) {
	severity := newSeverities(Configured(before))
	past, g := newGuard(before, severity), newGuard(after, severity)
	names, _ := documents(before, ".")
	var files []string
	for _, n := range names {
		if n.err != nil {
			return nil, fmt.Errorf("read the earlier records: %w", n.err)
		}
		if err := g.viewAgainst(past, n.name); err != nil {
			return nil, err
		}
		files = append(files, n.name)
	}
	if err := g.files(before, files); err != nil {
		return nil, err
	}
	slices.SortFunc(g.out, Compare)
	return g.out, nil
}

// Altered reports the files of records, and the views, at names that do not hold any more what
// before holds. The findings have the severities that the config of before sets.
func Altered(before, after fs.Reader, names []string) ([]Finding, error) {
	g := newGuard(after, newSeverities(Configured(before)))
	err := g.written(before, names)
	slices.SortFunc(g.out, Compare)
	return g.out, err
}

// A guard collects what became of records.
type guard struct {
	after   fs.Reader
	weights weights
	out     []Finding
	doc     jsonedit.Doc    // to parse with
	words   map[string]held // the decisions of the Ledger by their words, once they are asked for
}

func newGuard(after fs.Reader, s severities) *guard {
	return &guard{after: after, weights: weightsOf(s)}
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

// written guards the documents at names that are written.
func (g *guard) written(before fs.Reader, names []string) error {
	for _, name := range names {
		if viewList(fs.Place(name)) == "" {
			continue
		}
		old, now, err := g.versions(before, name)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, now) {
			g.view(name, heldIn(&g.doc, name, old), heldIn(&g.doc, name, now))
		}
	}
	return g.files(before, names)
}

// versions returns what before and after have at name; nil for nothing.
func (g *guard) versions(before fs.Reader, name string) (old, now []byte, err error) {
	if old, err = before.Read(name); err != nil {
		return nil, nil, tolerable(err)
	}
	if now, err = g.after.Read(name); tolerable(err) != nil {
		return nil, nil, fmt.Errorf("judge %s: %w", plainFile(name), err)
	}
	return old, now, nil
}

// viewAgainst compares the decisions that only a view held with their files in the Ledger, where
// they have one now, else with what the view says now.
func (g *guard) viewAgainst(past *guard, name string) error {
	if viewList(fs.Place(name)) == "" {
		return nil
	}
	old, now, err := g.versions(past.after, name)
	if err != nil {
		return err
	}
	var only []held
	for _, h := range heldIn(&g.doc, name, old) {
		if _, ok := past.recorded(h); ok {
			continue
		}
		file, ok := g.recorded(h)
		if !ok {
			only = append(only, h)
		} else if names := differing(h.raw, file.raw); len(names) > 0 {
			g.reportEntry(file, h, names)
		}
	}
	g.view(name, only, heldIn(&g.doc, name, now))
	return nil
}

// view reports decisions of a view that are gone, unless the Ledger has them, and those that say
// otherwise now, unless that is what the Ledger says. One entry that says the same is enough: the
// others are for duplicate-id.
func (g *guard) view(name string, old, now []held) {
	var lost []string
	for _, h := range old {
		entries := slices.DeleteFunc(slices.Clone(now), func(n held) bool { return !n.is(h) })
		if slices.ContainsFunc(entries, func(n held) bool { return n.says(h) }) {
			continue
		}
		file, known := g.recorded(h)
		switch {
		case len(entries) == 0 && !known:
			lost = append(lost, h.title())
		case len(entries) > 0 && !(known && len(differing(entries[0].raw, file.raw)) == 0):
			g.reportEntry(entries[0], h, entries[0].changes(h))
		}
	}
	if len(lost) > 0 {
		g.reportLost(name, lost)
	}
}

// recorded returns the file of the Ledger that holds a decision: by its id, or by its words where
// it has none.
func (g *guard) recorded(h held) (file held, ok bool) {
	if h.id != "" {
		name, src, err := ledgerFile(g.after, h.id)
		if err != nil {
			return held{}, false
		}
		file = heldIn(&g.doc, name, src)[0]
		return file, file.id == h.id
	}
	if g.words == nil {
		g.words = map[string]held{}
		taken, _, _ := records.Decisions(g.after)
		for _, d := range taken {
			if name, src, err := ledgerFile(g.after, d.ID); err == nil {
				g.words[d.Decision] = held{name: name, ledger: true, id: d.ID, words: d.Decision, raw: src}
			}
		}
	}
	file, ok = g.words[h.words]
	return file, ok
}

func (g *guard) reportLost(name string, titles []string) {
	slices.Sort(titles)
	pointer := ""
	if list := viewList(fs.Place(name)); list != "" {
		pointer = "/" + list
	}
	g.report(lostName, name, pointer, "Lost decisions: "+plainList(slices.Compact(titles)),
		"bring them back from the revision before; a decision that no longer holds is superseded by a new one, never removed")
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
