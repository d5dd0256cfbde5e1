package records

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
)

// The file of a record, or of a change, may hold a value that no view can show. It counts
// as not said, so that the rest is shown and commands go on; validate names it. Records
// that neither the State nor a hot context shows have no such values.

// Schemas returns what a value of a member of the records of k has to meet: the schema of
// the record and, for the project, that of the State, which shows it. It returns false for
// a member that no record of k has.
func (k Kind) Schemas(name string) (of []*jsonschema.Schema, ok bool) {
	switch k.Name {
	case Project.Name:
	case Settings.Name:
		return []*jsonschema.Schema{jsonschema.Of(fs.DocProject.Schema()).Below(name)}, true
	default:
		return []*jsonschema.Schema{jsonschema.Of(k.Name).Below(name)}, true
	}
	path, ok := ProjectPath(name)
	return []*jsonschema.Schema{jsonschema.Of(fs.DocProjectRecord.Schema()).Below(name), jsonschema.Of(fs.DocState.Schema()).Below(path...)}, ok
}

// shows reports whether a view can show node i of doc as a member.
func (k Kind) shows(name string, doc *jsonedit.Doc, i int) bool {
	if !k.NamedByID() && k.Name != Project.Name && k.Name != Settings.Name {
		return true // no view shows it
	}
	schemas, ok := k.Schemas(name)
	return ok && Sound(doc, i) && !slices.ContainsFunc(schemas, func(of *jsonschema.Schema) bool { return !of.Valid(doc, i) })
}

// MaxDepth limits how deep arrays and objects nest in the file of a record. A view, which
// may nest jsonedit.MaxDepth deep, shows a record some levels below its own.
const MaxDepth = jsonedit.MaxDepth - 8

// Sound reports whether the value of node i is one that every program can hold: no object
// in it has two members of one name, no number is too large, and it nests less than
// MaxDepth deep, for it stands in the object of the file or of a change.
func Sound(doc *jsonedit.Doc, i int) bool {
	next := int(doc.Nodes[i].Next)
	at, _ := slices.BinarySearch(doc.Duplicates, i+1)
	if at < len(doc.Duplicates) && doc.Duplicates[at] < next || doc.Deeper(i, MaxDepth-1) >= 0 {
		return false
	}
	for k := i; k < next; k++ {
		if doc.Extreme(k) {
			return false
		}
	}
	return true
}

// Admits reports whether a change may set a member to a value; null removes it.
func (k Kind) Admits(name string, value json.RawMessage) bool {
	if list, text, ok := strings.Cut(name, "/"); ok && k.Editable {
		_, isPlace := Members{name: value}.Number(name)
		return slices.Contains(k.Lists, list) && strings.TrimSpace(text) != "" && (isPlace || string(value) == "false")
	}
	if k.Editable && name == "id" {
		return false
	}
	if string(value) == "null" {
		return name != k.Text && !slices.Contains(k.Needed, name)
	}
	doc, err := jsonedit.Parse(value)
	return err == nil && k.shows(name, doc, 0)
}

// admitted returns changes with the values that a view can show.
func (k Kind) admitted(changes []Change) []Change {
	out := slices.Clone(changes)
	for i, c := range out {
		for name, value := range c.Set {
			if k.Admits(name, value) {
				continue
			}
			set := maps.Clone(out[i].Set)
			delete(set, name)
			out[i].Set = set
		}
	}
	return out
}

// members decodes the file of a record, without the values that no view can show. Of
// members of one name the first counts. It is an error if the text is no text.
func (k Kind) members(src []byte) (Members, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	if is := doc.Nodes[0].Kind; is != jsonedit.Object {
		return nil, fmt.Errorf("%s where an object should be", is)
	}
	whole := k.NamedByID() && Sound(doc, 0) && jsonschema.Of(k.Name).Valid(doc, 0)
	m := Members{}
	for i := range doc.Children(0) {
		name := doc.Key(i)
		if _, again := slices.BinarySearch(doc.Duplicates, i); !again && (whole || k.shows(name, doc, i)) {
			m[name] = json.RawMessage(doc.Raw(i))
		}
	}
	if m[k.Text] == nil && k.NamedByID() {
		return nil, fmt.Errorf("%s is missing or no text", k.Text)
	}
	return m, nil
}
