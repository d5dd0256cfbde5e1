package validate

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/views"
)

// Refused is the error of a write that would make the tree worse.
type Refused struct {
	Findings []Finding // sorted
}

func (e *Refused) Error() string {
	f := e.Findings[0]
	msg := fmt.Sprintf("refused: %s:%d:%d: %s [%s]", plainFile(f.File), f.Line, f.Column, f.Message, f.Rule)
	if more := len(e.Findings) - 1; more > 0 {
		msg += fmt.Sprintf(" and %d more", more)
	}
	return msg
}

// plainFile is a Name as messages show it.
func plainFile(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
		return quoted(name)
	}
	return name
}

// Gate is the check before a write: it judges the documents at names as after
// has them, each by itself, and refuses errors that before did not have. The
// same error is one of the same rule at the same pointer; in JSONL, in a line of
// the same content. Of a document that only grew, as JSONL does, the new lines
// are judged.
//
// It also holds rule set 3 for these documents: no file of a record is removed or
// changed, no decision leaves a view unless the Ledger has it, and none says otherwise
// in a view unless that is what the Ledger says. The error is a *Refused.
func Gate(before, after fs.Reader, names []string) error {
	j := newJudge(newSeverities())
	var found []Finding
	var configured severities
	for _, name := range names {
		if soundLines(j, after, name) {
			continue
		}
		src, err := after.Read(name)
		if errors.Is(err, iofs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("judge %s: %w", plainFile(name), err)
		}
		grown := newLines(before, name, src)
		faults := j.one(name, fs.Place(name), false, src[grown:])
		if len(faults) == 0 {
			continue
		}
		if configured == nil {
			configured = newSeverities(Configured(before))
		}
		faults = worse(faults, src[grown:], nil, configured)
		if len(faults) == 0 {
			continue
		}
		if old, err := views.Stored(before, predecessor(before, name)); err == nil && grown == 0 {
			faults = worse(faults, src, slices.Clone(j.one(name, fs.Place(name), false, old)), configured, old)
		}
		above := bytes.Count(src[:grown], []byte("\n"))
		for i := range faults {
			faults[i].Line += above
		}
		found = append(found, faults...)
	}
	g := newGuard(after, newSeverities())
	if err := g.checkWritten(before, names); err != nil {
		return err
	}
	if found = append(found, g.out...); len(found) == 0 {
		return nil
	}
	slices.SortFunc(found, Compare)
	return &Refused{found}
}

// soundLines says whether all that happens to a document is that lines without
// fault are added to it: then the rest of it, which may be large, is not read.
func soundLines(j *judge, after fs.Reader, name string) bool {
	tx, ok := after.(interface {
		Appended(name string) ([]byte, bool)
	})
	if !ok || formOf(name) != formJSONL {
		return false
	}
	lines, ok := tx.Appended(name)
	return ok && len(j.one(name, fs.Place(name), false, lines)) == 0
}

// predecessor names the document whose faults the one at name may have. That is
// itself, but for a new snapshot it is the State: a copy of what has an old
// fault has it too.
func predecessor(before fs.Reader, name string) string {
	if fs.Place(name) == fs.DocSnapshot {
		if _, err := before.Read(name); errors.Is(err, iofs.ErrNotExist) {
			return fs.State
		}
	}
	return name
}

// newLines is where the part of src begins that a JSONL document did not have
// before; 0 for other documents and for other changes than growing.
func newLines(before fs.Reader, name string, src []byte) int {
	if formOf(name) != formJSONL {
		return 0
	}
	old, err := before.Read(name)
	if err != nil || !bytes.HasPrefix(src, old) {
		return 0
	}
	return bytes.LastIndexByte(old, '\n') + 1
}

// worse are the errors among faults, as severity has it, that are not among
// had.
func worse(faults []Finding, src []byte, had []Finding, severity severities, old ...[]byte) (out []Finding) {
	used := make([]bool, len(had))
	stood := func(key string, among []string) bool {
		for i, other := range among {
			if !used[i] && key == other && had[i].Severity != Off {
				used[i] = true
				return true
			}
		}
		return false
	}
	hadAt, hadMoved := keys(had, old...)
	at, moved := keys(faults, src)
	known := make([]bool, len(faults))
	for i := range faults {
		known[i] = stood(moved[i], hadMoved)
	}
	for i, f := range faults {
		f.Severity = severity[ruleIndex(f.Rule)]
		if f.Severity == Error && !known[i] && !stood(at[i], hadAt) {
			out = append(out, f)
		}
	}
	return out
}

// indexes finds the indexes in a JSON pointer.
var indexes = regexp.MustCompile(`/[0-9]+\b`)

// keys name findings of one document, sorted by line, so that the same fault
// has the same key before and after an edit elsewhere in the document: at where it
// stands, moved by what stands there, in whichever place of its list.
func keys(findings []Finding, src ...[]byte) (at, moved []string) {
	at = make([]string, len(findings))
	var rest []byte
	if len(src) > 0 {
		rest = src[0]
	}
	doc, _ := jsonedit.Parse(rest)
	line := 1
	for i, f := range findings {
		at[i] = f.Rule + " " + f.Pointer
		if formOf(f.File) == formJSONL {
			for ; line < f.Line; line++ {
				_, rest, _ = bytes.Cut(rest, []byte("\n"))
			}
			text, _, _ := bytes.Cut(rest, []byte("\n"))
			at[i] += " " + string(text)
		}
		moved = append(moved, at[i])
		if doc == nil {
			continue
		}
		if node := doc.Find(f.Pointer); node >= 0 {
			moved[i] = f.Rule + " " + indexes.ReplaceAllString(f.Pointer, "/-") + " " + string(doc.Raw(node))
		}
	}
	return at, moved
}

// ledgerFile reads the file of the Ledger that is named after a decision. The
// error is io/fs.ErrNotExist where no folder has one.
func ledgerFile(r fs.Reader, id string) (name string, src []byte, err error) {
	err = iofs.ErrNotExist
	for _, name := range ledgerNames(id) {
		if src, err = r.Read(name); !errors.Is(err, iofs.ErrNotExist) {
			return name, src, err
		}
	}
	return "", nil, err
}

// ledgerNames returns the names that the file of a decision may have; none where
// the id is none.
func ledgerNames(id string) (names []string) {
	if isID(id) {
		for _, folder := range []string{fs.Forgemind, fs.Quaid} {
			names = append(names, folder+"/"+fs.DecisionsDir+"/"+id+".json")
		}
	}
	return names
}
