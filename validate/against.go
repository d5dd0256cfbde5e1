package validate

import (
	"bytes"
	"fmt"
	"path"
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
		if err := g.checkOldView(past, n.name); err != nil {
			return nil, err
		}
		files = append(files, n.name)
	}
	if err := g.checkFiles(before, files); err != nil {
		return nil, err
	}
	slices.SortFunc(g.out, Compare)
	return g.out, nil
}

// Altered reports the files of records, and the views, at names that do not hold any more what
// before holds. The findings have the severities that the config of before sets.
func Altered(before, after fs.Reader, names []string) ([]Finding, error) {
	g := newGuard(after, newSeverities(Configured(before)))
	err := g.checkWritten(before, names)
	slices.SortFunc(g.out, Compare)
	return g.out, err
}

// A guard collects what became of records.
type guard struct {
	after   fs.Reader
	weights weights
	out     []Finding
	doc     jsonedit.Doc      // to parse with
	told    map[string]bool   // titles of decisions that are told as lost
	ledger  map[string][]held // see ledgerByWords; nil until it is needed
}

func newGuard(after fs.Reader, s severities) *guard {
	return &guard{after: after, weights: weightsOf(s), told: map[string]bool{}}
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

// checkWritten checks the documents at names that are written.
func (g *guard) checkWritten(before fs.Reader, names []string) error {
	for _, name := range names {
		if viewList(fs.Place(name)) == "" {
			continue
		}
		old, now, err := g.versions(before, name)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, now) {
			if err := g.checkView(name, heldIn(&g.doc, name, old), heldIn(&g.doc, name, now)); err != nil {
				return err
			}
		}
	}
	return g.checkFiles(before, names)
}

// versions returns what before and after have at name; nil for nothing.
func (g *guard) versions(before fs.Reader, name string) (old, now []byte, err error) {
	for _, v := range []struct {
		of  fs.Reader
		src *[]byte
	}{{before, &old}, {g.after, &now}} {
		if *v.src, err = v.of.Read(name); tolerable(err) != nil {
			return nil, nil, fmt.Errorf("judge %s: %w", plainFile(name), err)
		}
	}
	return old, now, nil
}

// checkOldView compares the decisions that only a view held with their files in the Ledger, where
// they have one now, else with what the view says now.
func (g *guard) checkOldView(past *guard, name string) error {
	if viewList(fs.Place(name)) == "" {
		return nil
	}
	old, now, err := g.versions(past.after, name)
	if err != nil {
		return err
	}
	var only []held
	for _, h := range heldIn(&g.doc, name, old) {
		files, err := past.recorded(h)
		if err != nil {
			return err
		}
		if len(files) > 0 {
			continue
		}
		switch files, err = g.recorded(h); {
		case err != nil:
			return err
		case len(files) == 0:
			only = append(only, h)
		default:
			if names := differing(h.raw, files[0].raw); len(names) > 0 {
				g.reportEntry(files[0], h, names)
			}
		}
	}
	return g.checkView(name, only, heldIn(&g.doc, name, now))
}

// checkView reports decisions of a view that are gone, unless the Ledger has them, and those that say
// otherwise now, unless that is what the Ledger says. One entry that says the same is enough: the
// others are for duplicate-id. Of a decision that is gone from several views one tells.
func (g *guard) checkView(name string, old, now []held) error {
	byRecord, byWords := map[string][]held{}, map[string][]held{}
	for _, n := range now {
		byRecord[n.record], byWords[n.words] = append(byRecord[n.record], n), append(byWords[n.words], n)
	}
	var lost []string
	for _, h := range old {
		entries := slices.DeleteFunc(slices.Clone(byRecord[h.record]), h.isOther)
		if h.id == "" {
			entries = append(slices.Clip(entries), byWords[h.words]...)
		}
		if slices.ContainsFunc(entries, func(n held) bool { return n.says(h) }) {
			continue
		}
		files, err := g.recorded(h)
		switch {
		case err != nil:
			return err
		case h.counted && slices.ContainsFunc(files, func(f held) bool { return len(differing(h.raw, f.raw)) == 0 }):
		case len(entries) == 0 && len(files) == 0 && !g.told[h.title()]:
			g.told[h.title()] = true
			lost = append(lost, h.title())
		case len(entries) > 0 && !slices.ContainsFunc(files, func(f held) bool { return len(differing(entries[0].raw, f.raw)) == 0 }):
			g.reportEntry(entries[0], h, entries[0].changes(h))
		}
	}
	if len(lost) > 0 {
		g.reportLost(name, lost)
	}
	return nil
}

// recorded returns the files of the Ledger that hold a decision: by its id, or by its words if the
// view has no id of it.
func (g *guard) recorded(h held) (files []held, err error) {
	if h.id == "" {
		if g.ledger == nil {
			g.ledger, err = ledgerByWords(g.after)
		}
		return g.ledger[h.words], err
	}
	for _, name := range append(ledgerNames(h.record), ledgerNames(h.ownID())...) {
		src, err := g.after.Read(name)
		switch {
		case err == nil:
			if file := heldIn(&g.doc, name, src)[0]; file.id+".json" == path.Base(name) && !file.isOther(h) {
				files = append(files, file)
			}
		case isAbsent(err):
		case tolerable(err) == nil: // it is there, and a finding of its own
			files = append(files, held{name: name, ledger: true, id: h.record, words: h.words, raw: h.raw})
		default:
			return nil, fmt.Errorf("judge %s: %w", plainFile(name), err)
		}
	}
	return files, nil
}

// ledgerByWords returns the decisions of the Ledger by what they say.
func ledgerByWords(r fs.Reader) (map[string][]held, error) {
	ledger := map[string][]held{}
	var doc jsonedit.Doc
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for name, err := range r.Names(home + "/" + fs.DecisionsDir) {
			file, ok := records.FileOf(name)
			if !ok {
				continue
			}
			src := []byte(nil)
			if err == nil {
				src, err = r.Read(name)
			}
			if tolerable(err) != nil {
				return nil, fmt.Errorf("judge %s: %w", plainFile(name), err)
			}
			if h := heldIn(&doc, name, src)[0]; err == nil && h.id == file.Record {
				ledger[h.words] = append(ledger[h.words], h)
			}
		}
	}
	return ledger, nil
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
