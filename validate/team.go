package validate

import (
	"encoding/json"
	"errors"
	iofs "io/fs"
	"strconv"
	"strings"
	"sync"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
	"github.com/forgemind/forgemind/internal/text"
)

// A schemaEntry is an entry of validation.schemas: a JSON Schema for some documents.
type schemaEntry struct {
	spot
	match, path string
	compile     func() (*jsonschema.Schema, error) // compiles once
}

// newSchemaEntry returns an entry whose schema is compiled when it is first needed.
func newSchemaEntry(at spot, match, path string, read func(string) ([]byte, error)) schemaEntry {
	plain := func(name string) ([]byte, error) {
		src, err := read(name)
		var wrong *iofs.PathError
		switch {
		case errors.Is(err, iofs.ErrNotExist):
			err = errors.New("no such file in the project")
		case errors.As(err, &wrong):
			err = wrong.Err
		case err != nil: // the name is said before
			err = errors.New(strings.TrimPrefix(strings.TrimPrefix(err.Error(), name+": "), strconv.Quote(name)+": "))
		}
		return src, err
	}
	return schemaEntry{at, match, path, sync.OnceValues(func() (*jsonschema.Schema, error) {
		return jsonschema.Compile(path, plain)
	})}
}

// schemasFor returns the entries whose schemas judge the document name.
func (p *Policy) schemasFor(name string) (entries []schemaEntry) {
	if p == nil {
		return nil
	}
	for _, e := range p.schemas {
		if matched, _ := text.MatchPath(e.match, name); matched {
			entries = append(entries, e)
		}
	}
	return entries
}

// team judges the current JSON text by the schemas of the team.
func (j *judge) team() {
	if len(j.schemas) == 0 || !j.parsed() || j.extreme {
		return
	}
	said := map[string]bool{}
	for _, e := range j.schemas {
		s, err := e.compile()
		if err != nil {
			continue // settle reports it at the entry
		}
		list, err := s.Check(&j.tape)
		if err != nil && j.severity[ruleIndex(schemaFile.Name)] != Off {
			j.working = ruleIndex(schemaFile.Name)
			j.report(0, "", "not judged by "+plainFile(e.path)+": "+err.Error(), "simplify the schema, or split the document")
		}
		if j.working = ruleIndex(teamSchema.Name); j.severity[j.working] == Off {
			continue
		}
		for _, v := range list {
			j.violation(v, said)
		}
	}
}

// violation reports a keyword of a team's schema that a value does not meet. It reports
// equal messages about a value once.
func (d *document) violation(v jsonschema.Violation, said map[string]bool) {
	at, start := d.tape.Pointer(v.Node), int(d.tape.Nodes[v.Node].Start)
	hint := text.Limit(v.Where, 200) + " asks for it"
	if v.About != "" {
		hint += ": " + text.Limit(text.Line(v.About), 200)
	}
	say := func(pointer, message string) {
		if !said[pointer+" "+message] {
			said[pointer+" "+message] = true
			d.report(start, pointer, message, hint)
		}
	}
	if names, ok := v.Value.([]any); ok && v.Keyword == "required" {
		for _, n := range names {
			if name, _ := n.(string); name != "" && d.tape.Member(v.Node, name) < 0 {
				say(at+pointerTo(name), "missing member "+dotted(at+pointerTo(name)))
			}
		}
		return
	}
	say(at, dotted(at)+" "+teamExpectation(v, &d.tape))
}

// teamExpectation returns a description of the expected and the actual value.
func teamExpectation(v jsonschema.Violation, d *jsonedit.Doc) string {
	found := ", found " + shown(d, v.Node)
	limit := ""
	if n, ok := v.Value.(json.Number); ok {
		limit = cut(string(n))
		if f, err := n.Float64(); err == nil {
			v.Value = f
		}
	}
	switch v.Keyword {
	case "multipleOf":
		return "must be a multiple of " + limit + found
	case "contains", "minContains":
		return "has too few of the elements that are asked for"
	case "maxContains":
		return "has more than " + limit + " of the elements that are limited"
	case "dependentRequired", "dependencies", "additionalItems":
		return "is not admitted: " + cut(strings.TrimPrefix(v.Message, "jsonschema: "))
	}
	return requirement{v.Keyword, v.Value, func() []string { return v.Further }}.expectation(d, v.Node)
}
