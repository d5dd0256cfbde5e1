package importer

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
)

// An ExportedFile is a record, or a change of one, as forgemind exports it: one line of JSON Lines.
type ExportedFile struct {
	Line int    // of the export
	Kind string // such as "decision"
	Name string // below one of the two folders
	Text []byte // of the file
}

// exportedDocs are the documents that an export may hold: records and changes, which are written once.
// Settings and views are not imported.
var exportedDocs = map[fs.Doc]bool{
	fs.DocDecision: true, fs.DocQuestion: true, fs.DocAction: true, fs.DocGoal: true, fs.DocConstraint: true, fs.DocNote: true, fs.DocChange: true,
	fs.DocProjectRecord: true, fs.DocMessage: true, fs.DocClarification: true, fs.DocPin: true, fs.DocThreadRecord: true, fs.DocHandoff: true,
}

// Export reads an export of forgemind. Lines that hold no record are problems.
func Export(src []byte) (all []ExportedFile, problems []Problem) {
	for l := range jsonedit.Lines(src) {
		f, err := exported(l.Text)
		if err != nil {
			problems = append(problems, Problem{Line: l.Number, Message: err.Error(), Hint: `expected {"kind": "decision", "file": ".forgemind/decisions/ID.json", "record": {…}}`})
			continue
		}
		f.Line = l.Number
		all = append(all, f)
	}
	return all, problems
}

// exported reads one line.
func exported(src []byte) (f ExportedFile, err error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return f, fmt.Errorf("it is not JSON: %w", err)
	}
	f.Kind, _ = doc.Str(doc.Member(0, "kind"))
	f.Name, _ = doc.Str(doc.Member(0, "file"))
	record := doc.Member(0, "record")
	switch {
	case f.Name == "":
		return f, fmt.Errorf("it names no file")
	case f.Name != path.Clean(f.Name) || strings.Contains(f.Name, "\\") || !exportedDocs[fs.Place(f.Name)]:
		return f, fmt.Errorf("%s is no place of a record", text.Quote(f.Name, 100))
	case record < 0 || doc.Nodes[record].Kind != jsonedit.Object:
		return f, fmt.Errorf("%s has no record, which is an object", text.Quote(f.Name, 100))
	}
	f.Text, err = jsonedit.Marshal(json.RawMessage(doc.Raw(record)))
	return f, err
}
