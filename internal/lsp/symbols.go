package lsp

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/internal/yaml"
)

// mostSymbols is the largest number of symbols in an answer.
const mostSymbols = 2000

// An outline collects the symbols of a document.
type outline struct {
	*document
	left int // how many more symbols may be added
}

// documentSymbols returns the members of a document, its lines, its headings or its knobs.
func (s *server) documentSymbols(ctx context.Context, p documentParams) (any, error) {
	symbols := []documentSymbol{}
	d := s.find(p.TextDocument.URI)
	if d == nil || len(d.src) > maxDocument {
		return symbols, nil
	}
	o := &outline{d, mostSymbols}
	switch path.Ext(d.name) {
	case ".json":
		if doc, err := jsonedit.Parse(d.src); err == nil {
			symbols = append(symbols, o.members(doc, 0, 0)...)
		}
	case ".jsonl":
		symbols = append(symbols, o.records()...)
	case ".md":
		symbols = append(symbols, o.headings()...)
	case ".yaml":
		pairs, _ := yaml.Pairs(d.src)
		for _, pair := range pairs[:min(len(pairs), mostSymbols)] {
			at := d.span(pair.KeyAt, pair.KeyAt+len(pair.Key))
			symbols = append(symbols, documentSymbol{Name: label(pair.Key), Detail: label(pair.Value), Kind: symbolString, Range: at, SelectionRange: at})
		}
	}
	return symbols, ctx.Err()
}

// label returns a text of a document as the name of a symbol, which must not be empty.
func label(s string) string { return cmp.Or(text.Limit(sanitize.Text(text.Line(s)), 80), "–") }

// deepest is the depth to which members of members are symbols.
const deepest = 4

// members returns the symbols of the members or elements of a value. base is the offset of the JSON
// text in the document.
func (o *outline) members(doc *jsonedit.Doc, node, base int) (list []documentSymbol) {
	for i := range doc.Children(node) {
		if o.left--; o.left < 0 {
			break
		}
		n := doc.Nodes[i]
		made := documentSymbol{Kind: kindOf(n.Kind), Range: o.span(base+int(n.Start), base+int(n.End))}
		made.SelectionRange = made.Range
		if n.KeyEnd > 0 {
			made.Name = label(doc.Key(i))
			made.SelectionRange = o.span(base+int(n.KeyStart), base+int(n.KeyEnd))
			made.Range.Start = made.SelectionRange.Start
		} else {
			made.Name = label(titleIn(doc, i))
		}
		if n.Kind != jsonedit.Object && n.Kind != jsonedit.Array {
			value, isText := doc.Str(i)
			if !isText {
				value = string(doc.Raw(i))
			}
			made.Detail = label(value)
		} else if depth := strings.Count(doc.Pointer(i), "/"); depth < deepest {
			made.Children = o.members(doc, i, base)
		}
		list = append(list, made)
	}
	return list
}

// titleIn returns the id and the first text of an object, or the text of another value.
func titleIn(doc *jsonedit.Doc, node int) string {
	if doc.Nodes[node].Kind != jsonedit.Object {
		value, ok := doc.Str(node)
		if !ok {
			value = string(doc.Raw(node))
		}
		return value
	}
	var id, title string
	for i := range doc.Children(node) {
		value, ok := doc.Str(i)
		switch key := doc.Key(i); {
		case !ok:
		case key == "id" || strings.HasSuffix(key, "_id"):
			id = cmp.Or(id, value)
		case key != "timestamp" && key != "$schema":
			title = cmp.Or(title, value)
		}
	}
	return strings.TrimSpace(id + " " + title)
}

func kindOf(k jsonedit.Kind) int {
	switch k {
	case jsonedit.Object:
		return symbolObject
	case jsonedit.Array:
		return symbolArray
	case jsonedit.Number:
		return symbolNumber
	case jsonedit.True, jsonedit.False:
		return symbolBool
	case jsonedit.Null:
		return symbolNull
	}
	return symbolString
}

// records returns a symbol for each line of JSONL.
func (o *outline) records() (list []documentSymbol) {
	for line := range jsonedit.Lines(o.src) {
		if o.left--; o.left < 0 {
			break
		}
		doc, err := jsonedit.Parse(line.Text)
		if err != nil {
			continue
		}
		at := o.span(line.Offset, line.Offset+len(line.Text))
		list = append(list, documentSymbol{Name: label(titleIn(doc, 0)), Kind: symbolObject, Range: at, SelectionRange: at})
	}
	return list
}

// headings returns the headings of markdown, each with those below it.
func (o *outline) headings() []documentSymbol {
	type heading struct {
		level, start, end int // offsets of the line
	}
	var all []heading
	fenced := false
	for i, start := range o.lines {
		end := o.lineEnd(i)
		line := o.src[start:end]
		if bytes.HasPrefix(line, []byte("```")) {
			fenced = !fenced
		}
		level := len(line) - len(bytes.TrimLeft(line, "#"))
		if !fenced && level > 0 && level < 7 && len(line) > level && line[level] == ' ' && len(all) < mostSymbols {
			all = append(all, heading{level, start, end})
		}
	}
	var build func(i, until int) []documentSymbol
	build = func(i, until int) (list []documentSymbol) {
		for i < until {
			next := i + 1
			for next < until && all[next].level > all[i].level {
				next++
			}
			end := len(o.src)
			if next < len(all) {
				end = all[next].start
			}
			line := o.src[all[i].start:all[i].end]
			list = append(list, documentSymbol{Name: label(string(line[all[i].level:])), Kind: symbolString, Range: o.span(all[i].start, end),
				SelectionRange: o.span(all[i].start, all[i].end), Children: build(i+1, next)})
			i = next
		}
		return list
	}
	return build(0, len(all))
}

// workspaceSymbols returns the records of all trees of the editor whose id or title has the words of
// the query.
func (s *server) workspaceSymbols(ctx context.Context, p struct {
	Query string `json:"query"`
}) (any, error) {
	found := []workspaceSymbol{}
	wanted := strings.Fields(strings.ToLower(p.Query))
	for _, root := range s.roots() {
		known := s.thingsOf(root)
		o, err := s.overlay(root)
		if err != nil {
			continue
		}
		for i := len(known.list) - 1; i >= 0 && len(found) < mostItems && ctx.Err() == nil; i-- {
			t := &known.list[i]
			if t.File == "" || !containsAll(strings.ToLower(t.Kind+" "+t.ID+" "+t.Title), wanted) {
				continue
			}
			found = append(found, workspaceSymbol{Name: strings.TrimSpace(t.ID + " " + titleOf(t)), Kind: symbolObject, Location: s.placeIn(o, t.File, t.ID), ContainerName: t.Kind})
		}
		o.Close()
	}
	return found, ctx.Err()
}

// roots returns the roots of the trees that the editor has documents or folders of, sorted.
func (s *server) roots() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.projects))
}

// containsAll reports whether s has all words.
func containsAll(s string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(s, w) {
			return false
		}
	}
	return true
}
