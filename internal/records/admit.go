package records

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
)

// What a stranger's file says of a record may be nothing that a view can show. Such a
// value counts as not said, so that the others are shown and every command can write;
// validate names it.

// Schemas returns what a value of a member of the records of k has to meet: the schema of
// the record and, for the project, that of the State, which shows it. It returns false for
// a member that no record of k has.
func (k Kind) Schemas(name string) (of []*jsonschema.Schema, ok bool) {
	if k.Name != Project.Name {
		return []*jsonschema.Schema{jsonschema.Of(k.Name).Below(name)}, true
	}
	path, ok := ProjectPath(name)
	return []*jsonschema.Schema{jsonschema.Of(fs.DocProjectRecord.Schema()).Below(name), jsonschema.Of(fs.DocState.Schema()).Below(path...)}, ok
}

// shows reports whether a view can show node i of doc as a member.
func (k Kind) shows(name string, doc *jsonedit.Doc, i int) bool {
	schemas, ok := k.Schemas(name)
	return ok && !slices.ContainsFunc(schemas, func(of *jsonschema.Schema) bool { return !of.Valid(doc, i) })
}

// admits reports whether a change may set a member to a value; null removes it.
func (k Kind) admits(name string, value json.RawMessage) bool {
	if string(value) == "null" {
		return name != k.Text && !slices.Contains(k.Needed, name)
	}
	doc, err := jsonedit.Parse(value)
	return err == nil && k.shows(name, doc, 0)
}

// members decodes the file of a record, without the values that no view can show. It is an
// error if the text is one of them, or is not there though all records of k have one.
func (k Kind) members(src []byte) (Members, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	if is := doc.Nodes[0].Kind; is != jsonedit.Object {
		return nil, fmt.Errorf("%s where an object should be", is)
	}
	whole := k.Name != Project.Name && jsonschema.Of(k.Name).Valid(doc, 0)
	m := Members{}
	for i := range doc.Children(0) {
		name := doc.Key(i)
		if whole || k.shows(name, doc, i) {
			m[name] = json.RawMessage(doc.Raw(i))
		}
	}
	if m[k.Text] == nil && jsonschema.Of(k.Name).Requires(k.Text) {
		return nil, fmt.Errorf("%s is missing or no text", k.Text)
	}
	return m, nil
}
