package lsp

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// A schemaDoc is a schema of a document.
type schemaDoc struct{ jsonedit.Doc }

// A field describes a value of a document, as its schema does.
type field struct {
	name     string
	text     string // the description
	kind     string // the types, such as "string or null"
	allowed  []string
	fallback string // the default as JSON, "" if there is none
	required bool
}

// schemaOf returns the schema of a document, nil if it has none. The values below the member set of
// a change are those of the record, whose schema has the path rest.
func (s *server) schemaOf(name string, path []string) (found *schemaDoc, rest []string) {
	kind := fs.Place(name)
	schemaName := kind.Schema()
	if file, ok := records.FileOf(name); ok && kind == fs.DocChange && len(path) > 0 && path[0] == "set" && file.Folder.Kind.Name != "" {
		if _, ok := schema.Source(file.Folder.Kind.Name); ok {
			schemaName, path = file.Folder.Kind.Name, path[1:]
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if found, ok := s.schemas[schemaName]; ok {
		return found, path
	}
	if src, ok := schema.Source(schemaName); ok {
		if doc, err := jsonedit.Parse(src); err == nil {
			found = &schemaDoc{*doc}
		}
	}
	s.schemas[schemaName] = found
	return found, path
}

// find returns the nodes of the schema that describe the value at a path, the one that says most
// about it first.
func (d *schemaDoc) find(path []string) []int {
	at := d.expand([]int{0}, 0)
	for _, name := range path {
		var next []int
		for _, n := range at {
			if member := d.Member(d.Member(n, "properties"), name); member >= 0 {
				next = append(next, member)
			}
			for _, keyword := range [...]string{"items", "additionalProperties"} {
				if value := d.Member(n, keyword); value >= 0 && d.Nodes[value].Kind == jsonedit.Object {
					next = append(next, value)
				}
			}
		}
		at = d.expand(next, 0)
	}
	return at
}

// expand adds what nodes of a schema refer to.
func (d *schemaDoc) expand(nodes []int, depth int) (all []int) {
	if depth > 8 {
		return nodes
	}
	for _, n := range nodes {
		all = append(all, n)
		if ref, ok := d.Str(d.Member(n, "$ref")); ok && strings.HasPrefix(ref, "#") {
			if target := d.Find(ref[1:]); target >= 0 {
				all = append(all, d.expand([]int{target}, depth+1)...)
			}
		}
		if choices := d.Member(n, "anyOf"); choices >= 0 {
			all = append(all, d.expand(slices.Collect(d.Children(choices)), depth+1)...)
		}
	}
	return all
}

// members returns the members of the object at a path, in the order of the schema.
func (d *schemaDoc) members(path []string) (list []field) {
	for _, n := range d.find(path) {
		properties := d.Member(n, "properties")
		if properties < 0 {
			continue
		}
		var required []string
		if names := d.Member(n, "required"); names >= 0 {
			for i := range d.Children(names) {
				name, _ := d.Str(i)
				required = append(required, name)
			}
		}
		for p := range d.Children(properties) {
			f := d.field(d.expand([]int{p}, 0))
			f.name = d.Key(p)
			f.required = slices.Contains(required, f.name)
			list = append(list, f)
		}
	}
	return list
}

// field returns the description that nodes of a schema give together.
func (d *schemaDoc) field(nodes []int) (f field) {
	for _, n := range nodes {
		if text, ok := d.Str(d.Member(n, "description")); ok && f.text == "" {
			f.text = text
		}
		if types := d.Member(n, "type"); types >= 0 && f.kind == "" {
			f.kind = strings.Join(d.texts(types), " or ")
		}
		if values := d.Member(n, "enum"); values >= 0 {
			for i := range d.Children(values) {
				f.allowed = append(f.allowed, string(d.Raw(i)))
			}
		}
		if value := d.Member(n, "default"); value >= 0 && f.fallback == "" {
			f.fallback = string(d.Raw(value))
		}
	}
	if f.kind == "boolean" && len(f.allowed) == 0 {
		f.allowed = []string{"true", "false"}
	}
	return f
}

// texts returns a string, or the strings of an array.
func (d *schemaDoc) texts(node int) (all []string) {
	if text, ok := d.Str(node); ok {
		return []string{text}
	}
	for i := range d.Children(node) {
		text, _ := d.Str(i)
		all = append(all, text)
	}
	return all
}
