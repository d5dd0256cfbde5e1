package lsp

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// mostItems is the largest number of completion items in an answer.
const mostItems = 300

// complete offers what may stand at a position.
func (s *server) complete(ctx context.Context, p documentParams) (any, error) {
	list := completionList{Items: []completionItem{}}
	d := s.find(p.TextDocument.URI)
	if d == nil || len(d.src) > maxDocument {
		return list, nil
	}
	offset := d.offset(p.Position)
	c, ok := d.cursorAt(offset)
	switch {
	case ok && c.key:
		list.Items = s.completeMember(d, c)
	case ok && c.value && len(c.path) > 0:
		list.Items = s.completeValue(d, c, offset)
	case fs.Place(d.name) == fs.DocKnobs:
		list.Items = completeKnob(d, offset)
	case path.Ext(d.name) == ".md":
		list.Items = s.completeWord(d, offset)
	}
	if len(list.Items) > mostItems {
		list.Items, list.IsIncomplete = list.Items[:mostItems], true
	}
	for i := range list.Items {
		list.Items[i].SortText = fmt.Sprintf("%04d", i)
	}
	return list, ctx.Err()
}

// completeMember offers the members of an object that it does not have.
func (s *server) completeMember(d *document, c cursor) (items []completionItem) {
	doc, rest := s.schemaOf(d.name, c.path)
	if doc == nil {
		return nil
	}
	fields := doc.members(rest)
	slices.SortStableFunc(fields, func(a, b field) int { return rankOf(a) - rankOf(b) })
	for _, f := range fields {
		if slices.Contains(c.members, f.name) {
			continue
		}
		quoted := quote(f.name)
		edit := quoted
		if !c.colon {
			edit += ": "
		}
		about := s.markup(f.markdown(f.name))
		items = append(items, completionItem{
			Label: f.name, Kind: itemProperty, Detail: f.kind, Documentation: &about, FilterText: quoted, TextEdit: textEdit{d.span(c.start, c.end), edit},
		})
	}
	return items
}

// rankOf orders the members that an object must have first.
func rankOf(f field) int {
	if f.required {
		return 0
	}
	return 1
}

// completeValue offers values of an enumeration, ids, and paths.
func (s *server) completeValue(d *document, c cursor, offset int) (items []completionItem) {
	at := d.span(c.start, c.end)
	doc, rest := s.schemaOf(d.name, c.path)
	if doc != nil {
		f := doc.field(doc.find(rest))
		for _, value := range f.allowed {
			items = append(items, completionItem{Label: strings.Trim(value, `"`), Kind: itemEnum, FilterText: value, TextEdit: textEdit{at, value}})
		}
	}
	if len(items) > 0 {
		return items
	}
	name := memberOf(c.path)
	kinds, wanted := kindsOf(name)
	typed := unquote(d.src[c.start:min(offset, c.end)])
	switch {
	case wantsPath(c.path):
		return s.completePath(d, at, typed)
	case wanted || len(typed) > 1 && schema.ValidID(typed):
		for _, t := range s.candidates(d.root, kinds, typed) {
			quoted := quote(t.ID)
			items = append(items, thingItem(t, textEdit{at, quoted}, quote(t.ID+" "+titleOf(t))))
		}
	}
	return items
}

// memberOf returns the member that a path leads to, or the member whose list it leads into.
func memberOf(at []string) string {
	for _, name := range slices.Backward(at) {
		if strings.Trim(name, "0123456789") != "" {
			return name
		}
	}
	return ""
}

// kindsOf returns the kinds of records whose ids a member holds; none means all of them.
func kindsOf(member string) (kinds []string, ok bool) {
	switch member {
	case "supersedes", "superseded_by", "decision_id":
		return []string{"decision"}, true
	case "blocked_by", "blocking", "blocks":
		return []string{"action", "question"}, true
	case "parent", "goal_id":
		return []string{"goal"}, true
	case "question_id":
		return []string{"question"}, true
	case "condensation":
		return []string{"condensation"}, true
	case "session", "session_id", "continues":
		return []string{"session"}, true
	case "thread", "thread_id":
		return []string{"thread"}, true
	case "project":
		return []string{"project"}, true
	case "fragment":
		return []string{"fragment"}, true
	case "of":
		return nil, true
	}
	return nil, false
}

// wantsPath reports whether the value at a path is a path of the project.
func wantsPath(at []string) bool {
	switch memberOf(at) {
	case "files", "primary_files", "path", "match", "schema", "cold_storage_path":
		return true
	case "id":
		return len(at) > 2 && at[len(at)-3] == "loaded_artifacts"
	}
	return false
}

// candidates returns the things of some kinds that begin with, or have in their title, what was typed:
// those in force first, the newest of them first.
func (s *server) candidates(root string, kinds []string, typed string) (found []*query.Thing) {
	known := s.thingsOf(root)
	typed = strings.ToLower(typed)
	for i := range known.list {
		t := &known.list[i]
		if t.ID == "" || len(kinds) > 0 && !slices.Contains(kinds, t.Kind) {
			continue
		}
		if strings.Contains(strings.ToLower(t.ID), typed) || strings.Contains(strings.ToLower(t.Title), typed) {
			found = append(found, t)
		}
	}
	slices.Reverse(found)
	slices.SortStableFunc(found, func(a, b *query.Thing) int { return closedRank(a) - closedRank(b) })
	return found
}

func closedRank(t *query.Thing) int {
	if t.Closed {
		return 1
	}
	return 0
}

// thingItem returns the completion item of a record.
func thingItem(t *query.Thing, edit textEdit, filter string) completionItem {
	detail := t.Kind
	if t.SupersededBy != "" {
		detail += ", superseded by " + t.SupersededBy
	} else if t.Status != "" {
		detail += ", " + t.Status
	}
	return completionItem{Label: t.ID + "  " + titleOf(t), Kind: itemReference, Detail: text.Line(detail), FilterText: filter, TextEdit: edit}
}

// completeWord offers ids for the beginning of one in prose.
func (s *server) completeWord(d *document, offset int) (items []completionItem) {
	w, ok := d.wordAt(offset)
	if !ok || offset-w.start < 2 {
		return nil
	}
	typed := string(d.src[w.start:offset])
	for _, t := range s.candidates(d.root, nil, typed) {
		if strings.HasPrefix(strings.ToLower(t.ID), strings.ToLower(typed)) {
			items = append(items, thingItem(t, textEdit{d.span(w.start, w.end), t.ID}, t.ID))
		}
	}
	return items
}

// completePath offers the files of the folder that was typed.
func (s *server) completePath(d *document, at span, typed string) (items []completionItem) {
	dir, begun := path.Split(typed)
	if path.IsAbs(dir) {
		return nil
	}
	project, err := fs.OpenOutside(d.root)
	if err != nil {
		return nil
	}
	defer project.Close()
	names, err := project.Names(path.Join(".", dir))
	if err != nil {
		return nil
	}
	tree, err := s.overlay(d.root)
	if err != nil {
		return nil
	}
	defer tree.Close()
	for _, name := range names {
		if name == ".git" || name == fs.LocalDir || !strings.HasPrefix(name, begun) {
			continue
		}
		if len(items) > mostItems {
			break
		}
		at := textEdit{at, dir + name}
		if fi, err := tree.Look(path.Join(dir, name)); err == nil && fi.IsDir() {
			at.NewText += "/"
		}
		at.NewText = quote(at.NewText)
		items = append(items, completionItem{Label: name, Kind: itemFile, FilterText: at.NewText, TextEdit: at})
	}
	return items
}

// completeKnob offers the knobs that a file does not set, or the values of a switch.
func completeKnob(d *document, offset int) (items []completionItem) {
	line := d.position(offset).Line
	start, end := d.lines[line], d.lineEnd(line)
	name, _, colon := strings.Cut(string(d.src[start:offset]), ":")
	if colon {
		if k, ok := schema.FindKnob(strings.TrimSpace(name)); ok && strings.Contains(k.Expects(), "true") {
			for _, value := range []string{"true", "false"} {
				items = append(items, completionItem{Label: value, Kind: itemEnum, TextEdit: textEdit{d.span(wordStart(d.src, offset), offset), value}})
			}
		}
		return items
	}
	if strings.TrimLeft(name, " ") != name || strings.HasPrefix(name, "#") {
		return nil
	}
	edit := ": "
	if strings.Contains(string(d.src[offset:end]), ":") {
		edit = ""
	}
	w, _ := d.wordAt(offset)
	for _, k := range schema.AllKnobs() {
		about := markup{"plaintext", k.Means + "\ntakes " + k.Expects() + "; default " + k.Default()}
		items = append(items, completionItem{Label: k.Name, Kind: itemProperty, Detail: k.Unit, Documentation: &about,
			TextEdit: textEdit{d.span(start, max(offset, w.end)), k.Name + edit}})
	}
	return items
}

// wordStart returns the offset of the start of the word before an offset.
func wordStart(src []byte, offset int) int {
	for offset > 0 && isIDByte(src[offset-1]) {
		offset--
	}
	return offset
}

// quote returns a text as JSON.
func quote(s string) string {
	value, _ := jsonedit.Value(s) // a text
	return string(value)
}
