package importer

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
)

// notInForce is the section of the notes about decisions that are not in force.
const notInForce = "Decisions that are not in force"

// readADR reads a folder of decision records.
func readADR(files []File, res *Result) {
	var all []decisionRecord
	for _, f := range files {
		switch ext := strings.ToLower(path.Ext(f.Name)); {
		case ext == ".adoc" || ext == ".rst":
			res.problem(f.Name, 0, "it is not Markdown", "only Markdown is read")
			continue
		case ext != ".md" && ext != ".markdown" && ext != ".mdx" || isTemplate(f.Name):
			continue
		}
		d, err := readRecord(f.Name, f.Src)
		if err != nil {
			if !isIndex(f.Name) {
				res.problem(f.Name, 1, "it is no decision record: "+err.Error(), "a decision record has a title and a status or a heading such as \"Decision\"")
			}
			continue
		}
		all = append(all, d)
	}
	kinds := make([]string, len(all))
	for i := range all {
		kinds[i] = all[i].settle(res)
	}
	supersedes := resolve(all, kinds, res)
	for i, d := range all {
		it := d.item(kinds[i])
		for _, old := range supersedes[i] {
			it.Supersedes = append(it.Supersedes, keyIn(ADR, all[old].file))
		}
		res.add(it, d.file)
	}
}

// isTemplate reports whether a file is a template for records.
func isTemplate(name string) bool {
	base := strings.ToLower(path.Base(name))
	return strings.Contains(base, "template") && !strings.Contains(base, "templates-") || strings.HasPrefix(base, "_") || strings.Contains(strings.ToLower(path.Base(path.Dir(name))), "template")
}

// isIndex reports whether a file without a record is the page of contents of a folder.
func isIndex(name string) bool {
	base := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	return slices.Contains([]string{"readme", "index", "contributing", "changelog", "toc", "about", "summary", "overview"}, base)
}

// settle fills in what the file does not state, and returns the status that counts.
func (d *decisionRecord) settle(res *Result) string {
	if d.date == "" && d.rawDate != "" {
		res.problem(d.file, d.dateAt, fmt.Sprintf("the date %s is not understood", text.Quote(d.rawDate, 60)), "write it as 2026-11-20")
	}
	switch {
	case !d.filled:
		res.problem(d.file, d.statusAt, "the status is that of the template", "write one of: "+statusNames)
		return Proposed
	case d.status == "" && d.stated != "":
		res.problem(d.file, d.statusAt, fmt.Sprintf("the status %s is not understood; the decision counts as proposed", text.Quote(d.stated, 60)), "expected: "+statusNames)
		return Proposed
	case d.status == "" && len(d.replacedBy) > 0:
		return Superseded
	}
	return cmp.Or(d.status, Accepted)
}

// resolve returns, for each record, the indexes of those that it supersedes. A superseded record whose
// successor is not in force or not here becomes a note.
func resolve(all []decisionRecord, kinds []string, res *Result) [][]int {
	supersedes := make([][]int, len(all))
	add := func(by, old int) {
		if by != old && !slices.Contains(supersedes[by], old) && !slices.Contains(supersedes[old], by) {
			supersedes[by] = append(supersedes[by], old)
		}
	}
	followed := make([]bool, len(all))
	for i, d := range all {
		for _, ref := range d.replacedBy {
			by := find(all, i, ref)
			if by < 0 {
				res.problem(d.file, d.statusAt, fmt.Sprintf("there is no record %s, which supersedes it", text.Quote(cmp.Or(ref.text, ref.target), 80)), "name the file, the number or the title of a record")
				continue
			}
			if kinds[i] == Accepted {
				kinds[i] = Superseded
			}
			followed[i] = true
			add(by, i)
		}
	}
	for i, d := range all {
		for _, ref := range d.replaces {
			if kinds[i] != Accepted && kinds[i] != Superseded {
				continue // it is not decided yet
			}
			old := find(all, i, ref)
			if old < 0 {
				res.problem(d.file, d.statusAt, fmt.Sprintf("there is no record %s, which it supersedes", text.Quote(cmp.Or(ref.text, ref.target), 80)), "name the file, the number or the title of a record")
				continue
			}
			followed[old] = true
			if kinds[old] == Accepted {
				kinds[old] = Superseded
			}
			add(i, old)
		}
	}
	inLedger := func(i int) bool { return kinds[i] == Accepted || kinds[i] == Superseded && followed[i] }
	for range all { // a record that follows is in the Ledger itself only if what follows it is
		changed := false
		for i := range all {
			if kinds[i] != Superseded || !followed[i] {
				continue
			}
			followed[i] = false
			for by := range all {
				followed[i] = followed[i] || slices.Contains(supersedes[by], i) && inLedger(by)
			}
			changed = changed || !followed[i]
		}
		if !changed {
			break
		}
	}
	for i := range all {
		if !inLedger(i) {
			supersedes[i] = nil
		}
		supersedes[i] = slices.DeleteFunc(supersedes[i], func(old int) bool { return !inLedger(old) })
		if kinds[i] == Superseded && !followed[i] {
			kinds[i] = Deprecated
		}
	}
	return supersedes
}

// item returns the item of a record whose status counts as given.
func (d *decisionRecord) item(status string) Item {
	it := Item{
		Kind: Decision, Text: d.title, Status: status, At: d.date, By: d.makers, Rationale: prose(d.decision), Context: prose(d.context),
		Impact: d.impact, Aliases: d.aliases(),
		Source: Source{Format: ADR, File: d.file, Line: d.titleAt, ID: d.id, Status: cmp.Or(d.status, d.stated)},
	}
	for _, o := range d.options {
		if o != "" && !placeholder(o) && !sameOption(o, d.chosen) && len(it.Rejected) < maxEntries {
			it.Rejected = append(it.Rejected, o)
		}
	}
	if d.chosen == "" && d.parts[partOptions] {
		it.Rejected = slices.DeleteFunc(it.Rejected, func(o string) bool { return sameOption(o, d.title) })
	}
	switch status {
	case Proposed:
		it.Kind = Question
		if !strings.HasSuffix(it.Text, "?") && !strings.HasSuffix(it.Text, "？") {
			it.Text = "Proposed: " + it.Text
		}
		it.Context = prose(strings.TrimSpace(d.context + " " + d.decision))
	case Rejected, Deprecated:
		it.Kind, it.Section = Note, notInForce
		word := map[string]string{Rejected: "Rejected", Deprecated: "Deprecated"}[status]
		if d.status == Superseded {
			word = "Superseded"
		}
		it.Text = word + ": " + it.Text
	}
	return it
}

// aliases returns the names of a record in its source.
func (d *decisionRecord) aliases() []string {
	base := strings.TrimSuffix(path.Base(d.file), path.Ext(d.file))
	if d.id == base {
		return []string{base}
	}
	return []string{d.id, base}
}

// sameOption reports whether two texts name the same option.
func sameOption(a, b string) bool {
	a, b = slugOf(a), slugOf(b)
	return a == b || a != "" && b != "" && (strings.HasPrefix(a, b+"-") || strings.HasPrefix(b, a+"-"))
}
