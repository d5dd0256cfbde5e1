package validate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
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

To mend it, write what the message says was expected. ` + "`forgemind validate --fix`" + ` does it for
the times of a session that Python wrote (2025-11-09 04:30:00.123456). ` + "`forgemind schema current-context`" + `
prints the schema of the State, ` + "`forgemind schema`" + ` lists all; an editor that finds one
named in "$schema" checks while one types.
`,
	record: func(d *document) {
		if !d.parsed() || d.extreme {
			return
		}
		checker, ok := checkers[d.kind.Schema()]
		if !ok || d.form == formJSONL && d.kindOf(0) != jsonedit.Object || checker().check(&d.tape, 0, nil) {
			return
		}
		list, more := checker().breaches(&d.tape)
		said, before := map[string]bool{}, len(d.faults)
		for i, b := range list {
			if d.full() {
				more += len(list) - i
				break
			}
			d.breach(b, said)
		}
		d.more += more
		d.breaches = d.faults[before:]
	},
}

// breach reports a violated keyword. It reports equal messages about a value once.
func (d *document) breach(b violation, said map[string]bool) {
	node, part, at := b.node, b.of.says[b.keyword], d.tape.Pointer(b.node)
	hint := "forgemind schema " + d.kind.Schema() + " prints what is admitted"
	if b.keyword == "required" {
		names, _ := part.([]any)
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
	message := b.expectation(&d.tape)
	if said[at+" "+message] {
		return
	}
	said[at+" "+message] = true
	if d.kind == fs.DocSnapshot {
		hint = "a snapshot is a State: " + hint
	}
	if to, ok := pythonTime(d.str(node)); ok && b.keyword == "format" && timesMended(d.kind) {
		hint = "validate --fix writes it as " + to
	}
	d.report(int(d.tape.Nodes[node].Start), at, dotted(at)+" "+message, hint)
}

// expectation returns a description of the expected and the actual value.
func (b violation) expectation(d *jsonedit.Doc) string {
	further := func() []string { return b.of.additional(d, b.node) }
	return requirement{b.keyword, b.of.says[b.keyword], further}.expectation(d, b.node)
}

// A requirement is a keyword of a schema with its value. The function further returns the
// members of an object that additionalProperties forbids.
type requirement struct {
	keyword string
	part    any
	further func() []string
}

// expectation returns a description of the expected and the actual value.
func (r requirement) expectation(d *jsonedit.Doc, node int) string {
	keyword, part := r.keyword, r.part
	found := ", found " + shown(d, node)
	number, _ := part.(float64)
	text, _ := part.(string)
	limit := strconv.FormatFloat(number, 'f', -1, 64)
	switch keyword {
	case "type":
		return "must be " + kindNames(part) + found
	case "enum":
		return "must be one of " + values(part) + found
	case "const":
		return "must be " + values([]any{part}) + found
	case "minimum":
		return "must be at least " + limit + found
	case "maximum":
		return "must be at most " + limit + found
	case "exclusiveMinimum":
		return "must be more than " + limit + found
	case "exclusiveMaximum":
		return "must be less than " + limit + found
	case "minLength":
		if number == 1 {
			return "must not be empty"
		}
		return "must have at least " + limit + " characters" + found
	case "maxLength":
		return "must have at most " + limit + " characters" + found
	case "minItems":
		return "must have at least " + limit + " elements, found " + strconv.Itoa(int(d.Nodes[node].Len))
	case "maxItems":
		return "must have at most " + limit + " elements, found " + strconv.Itoa(int(d.Nodes[node].Len))
	case "uniqueItems":
		return "must not hold the same value twice"
	case "pattern":
		return "must have the form " + text + found
	case "format":
		if text == "date-time" {
			return "must be an RFC 3339 time such as 2025-10-27T10:00:00Z" + found
		}
		return "must be of the format " + text + found
	case "anyOf", "oneOf":
		if wanted := alternatives(part); wanted != "" {
			return "must have " + wanted
		}
		if keyword == "oneOf" {
			return "must have just one of the forms that are admitted" + found
		}
		return "has none of the forms that are admitted" + found
	case "additionalProperties":
		return "must not hold " + plainList(r.further())
	case "minProperties":
		return "must have at least " + limit + " members, found " + strconv.Itoa(memberCount(d, node))
	case "maxProperties":
		return "must have at most " + limit + " members, found " + strconv.Itoa(memberCount(d, node))
	}
	return "is not admitted" + found // not, or a schema that accepts nothing
}

// kindNames returns "a string or null" for the value of the keyword type.
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

// values returns the values of enum and const as text.
func values(v any) string {
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, value := range list {
		text, _ := jsonedit.Value(value)
		out[i] = string(text)
	}
	return strings.Join(out, ", ")
}

// alternatives returns the members of a choice that only requires members, "" for other
// choices.
func alternatives(v any) string {
	branches, _ := v.([]any)
	out := make([]string, len(branches))
	for i, b := range branches {
		branch, _ := b.(map[string]any)
		names, _ := branch["required"].([]any)
		if len(branch) != 1 || len(names) == 0 {
			return ""
		}
		for k, n := range names {
			if k > 0 {
				out[i] += " and "
			}
			out[i] += fmt.Sprint(n)
		}
	}
	return strings.Join(out, ", or ")
}
