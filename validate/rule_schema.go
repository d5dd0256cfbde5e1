package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
)

var schemaRule = Rule{
	Name:     "schema",
	Severity: Error,
	Summary:  "A value that the document's JSON Schema does not admit.",
	Help: `The document does not meet its JSON Schema (2020-12): a value has another type than
it must have, is out of range, is none of the words that are allowed, is no time, or a
member is missing.

Commands, triggers and other programs rely on these types. The watcher keeps the last
good State until it is mended. Members that no schema knows are allowed and kept.

Wrong:

    "clarity": "85", "status": null

Right:

    "clarity": 85, "status": "In Progress"

A time without a zone is UTC (2025-11-09 04:30:00.123456, as Python writes times).

To mend it, write what the message says was expected. ` + "`forgemind schema current-context`" + `
prints the schema of the State, ` + "`forgemind schema`" + ` lists all; an editor that finds one
named in "$schema" checks while one types.
`,
	record: func(d *document) {
		if !d.parsed() || d.extreme {
			return
		}
		of := jsonschema.Of(d.kind.Schema())
		if of == nil || d.form == formJSONL && d.kindOf(0) != jsonedit.Object {
			return
		}
		said, before := map[string]bool{}, len(d.faults)
		d.hold(of, 0, said)
		if d.kind == fs.DocChange || d.kind == fs.DocProjectRecord {
			d.holdMembers(said)
		}
		d.breaches = d.faults[before:]
	},
}

// hold reports what a value does not meet of a schema.
func (d *document) hold(of *jsonschema.Schema, node int, said map[string]bool) {
	if of.Valid(&d.tape, node) {
		return
	}
	list, more := of.Breaches(&d.tape, node)
	for i, b := range list {
		if d.full() {
			more += len(list) - i
			break
		}
		d.breach(b, said)
	}
	d.more += more
}

// holdMembers holds the members that a change of a record sets, or that the record of
// the project has, against the schema of the document that shows them.
func (d *document) holdMembers(said map[string]bool) {
	file, ok := d.recordFile()
	if !ok {
		return
	}
	set, kind := 0, file.Folder.Kind
	if d.kind == fs.DocChange {
		set = d.tape.Member(0, "set")
	}
	if d.kindOf(set) != jsonedit.Object {
		return
	}
	for m := range d.tape.Children(set) {
		name := d.tape.Key(m)
		if strings.Contains(name, "/") && kind.Editable {
			if !kind.Admits(name, d.tape.Raw(m)) {
				d.at(m, plain(name)+" is no element of a list that is there or not", "it is constraints/TEXT or channels/TEXT, a number or false")
			}
			continue
		}
		schemas, ok := kind.Schemas(name)
		if !ok {
			d.at(m, plain(name)+" is no member of the project: the State shows something else there", "remove it")
			continue
		}
		if d.kindOf(m) == jsonedit.Null && d.kind == fs.DocChange {
			if name == kind.Text || slices.Contains(kind.Needed, name) {
				d.at(m, dotted(d.tape.Pointer(m))+" must not be removed", "set another value, or none")
			}
			continue
		}
		for _, of := range schemas {
			d.hold(of, m, said)
		}
	}
}

// breach reports a keyword that is not met, once for a value and what is said
// of it.
func (d *document) breach(b jsonschema.Breach, said map[string]bool) {
	node, at := b.Node, d.tape.Pointer(b.Node)
	hint := "forgemind schema " + d.kind.Schema() + " prints what is admitted"
	if b.Keyword == "required" {
		names, _ := b.Says.([]any)
		for _, n := range names {
			name, _ := n.(string)
			pointer := at + "/" + name
			if name == "" || d.tape.Member(node, name) >= 0 || said[pointer] || d.isState() && ruleSet1(at, name) {
				continue
			}
			said[pointer] = true
			d.report(int(d.tape.Nodes[node].Start), pointer, "missing member "+dotted(pointer), hint)
		}
		return
	}
	message := expectation(b, &d.tape)
	if said[at+" "+message] {
		return
	}
	said[at+" "+message] = true
	if d.kind == fs.DocSnapshot {
		hint = "a snapshot is a State: " + hint
	}
	d.report(int(d.tape.Nodes[node].Start), at, dotted(at)+" "+message, hint)
}

// expectation says what was expected of a value and what was found.
func expectation(b jsonschema.Breach, d *jsonedit.Doc) string {
	found := ", found " + shown(d, b.Node)
	switch b.Keyword {
	case "type":
		return "must be " + kindNames(b.Says) + found
	case "enum":
		return "must be one of " + values(b.Says) + found
	case "const":
		return "must be " + values([]any{b.Says}) + found
	case "minimum":
		return "must be at least " + values([]any{b.Says}) + found
	case "maximum":
		return "must be at most " + values([]any{b.Says}) + found
	case "minLength":
		return "must not be empty"
	case "pattern":
		return fmt.Sprint("must have the form ", b.Says, found)
	case "format":
		return "must be an RFC 3339 time such as 2025-10-27T10:00:00Z" + found
	}
	return "must have " + alternatives(b.Says) // anyOf
}

// kindNames is "a string or null" for the value of the keyword type.
func kindNames(v any) string {
	names, ok := v.([]any)
	if !ok {
		names = []any{v}
	}
	out := make([]string, len(names))
	for i, n := range names {
		switch name := fmt.Sprint(n); name {
		case "null":
			out[i] = name
		case "array", "object", "integer":
			out[i] = "an " + name
		default:
			out[i] = "a " + name
		}
	}
	return strings.Join(out, " or ")
}

// values lists the values of enum and const.
func values(v any) string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, value := range list {
		text, _ := jsonedit.Value(value)
		out[i] = string(text)
	}
	return strings.Join(out, ", ")
}

// alternatives lists the members of which some must be there.
func alternatives(v any) string {
	branches, _ := v.([]any)
	out := make([]string, len(branches))
	for i, b := range branches {
		branch, _ := b.(map[string]any)
		names, _ := branch["required"].([]any)
		for k, n := range names {
			if k > 0 {
				out[i] += " and "
			}
			out[i] += fmt.Sprint(n)
		}
	}
	return strings.Join(out, ", or ")
}
