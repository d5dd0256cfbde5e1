package views

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// ProjectOf returns what a State says of the project.
func ProjectOf(src []byte) records.Members {
	m := records.Members{}
	doc, err := jsonedit.Parse(src)
	if err != nil || doc.Nodes[0].Kind != jsonedit.Object {
		return m
	}
	for i := range doc.Children(0) {
		name := doc.Key(i)
		if _, ok := records.ProjectPath("/" + name); !ok {
			continue
		}
		if name == "role" || strings.Contains(name, "/") || doc.Nodes[i].Kind != jsonedit.Object {
			m["/"+name] = json.RawMessage(doc.Raw(i))
			continue
		}
		for member := range doc.Children(i) { // one by one, for others may change them meanwhile
			m["/"+name+"/"+doc.Key(member)] = json.RawMessage(doc.Raw(member))
		}
	}
	project := doc.Find("/project")
	if project < 0 || doc.Nodes[project].Kind != jsonedit.Object {
		return m
	}
	for i := range doc.Children(project) {
		name := doc.Key(i)
		if name != "progress" || doc.Nodes[i].Kind != jsonedit.Object {
			m[name] = json.RawMessage(doc.Raw(i))
			continue
		}
		for layer := range doc.Children(i) {
			m["progress/"+doc.Key(layer)] = json.RawMessage(doc.Raw(layer))
		}
	}
	return m
}

// SameProject reports whether two States say the same of the project, and offer the same commands.
func SameProject(a, b []byte) bool {
	offered := func(src []byte) json.RawMessage {
		doc, err := jsonedit.Parse(src)
		if err != nil {
			return nil
		}
		if i := doc.Find("/available_commands"); i >= 0 {
			return doc.Raw(i)
		}
		return nil
	}
	return maps.EqualFunc(ProjectOf(a), ProjectOf(b), records.Same) && bytes.Equal(offered(a), offered(b))
}

// projectPointer returns where the State has a member of the project's record; false
// where it shows something else in its place.
func projectPointer(name string) (pointer string, ok bool) {
	names, ok := records.ProjectPath(name)
	for _, n := range names {
		pointer += "/" + token(n)
	}
	return pointer, ok
}

// hidden reports whether a member of the document is shown as a value that cannot hold
// this one: of concurrent edits, one made an object of it and another a text.
func hidden(name string, project records.Members) bool {
	names, _ := records.ProjectPath(name)
	if len(names) != 2 || names[0] == "project" {
		return false
	}
	value, ok := project["/"+names[0]]
	return ok && value[0] != '{'
}

// renderProject brings what a State says of the project up to its record. A tree without
// one says it in the State alone. follows says that the record holds what was reached in every layer.
func renderProject(src []byte, project records.Record, follows bool) ([]byte, error) {
	now := ProjectOf(src)
	gone := unset(project)
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if records.IsProgress(name) && follows && project.Members[name] == nil {
			gone = append(gone, name) // of changes that are elsewhere, as on another branch, or were not made
		}
	}
	for _, name := range gone {
		pointer, shown := projectPointer(name)
		if _, ok := now[name]; ok && shown && !mustStay(name) {
			var err error
			if src, err = jsonedit.Delete(src, pointer); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(project.Members), byProjectOrder) {
		value := project.Members[name]
		if is, ok := now[name]; ok && records.Same(is, value) {
			continue
		}
		if name == "status" && !project.Derives() && now.HasStatus() && !project.Members.HasStatus() {
			continue // the State alone says that the project has begun
		}
		pointer, shown := projectPointer(name)
		if !shown || hidden(name, project.Members) {
			continue
		}
		var err error
		if src, err = jsonedit.Set(src, pointer, value); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// SetProject returns a State with members of the project set.
func SetProject(src []byte, set map[string]any) ([]byte, error) {
	then, err := records.Record{Kind: records.Project}.Then(records.Change{}, set)
	if err != nil {
		return nil, err
	}
	return renderProject(src, then, false)
}

// mustStay reports whether a project must have the member.
func mustStay(name string) bool {
	return name == records.Project.Text || slices.Contains(records.Project.Needed, name)
}

var projectOrder = []string{"/role", "name", "id", "current_idea", "current_layer", "layer_name", "clarity", "status"}

// byProjectOrder orders members as the documents do.
func byProjectOrder(a, b string) int {
	at := func(name string) int {
		if i := slices.Index(projectOrder, name); i >= 0 {
			return i
		}
		return len(projectOrder)
	}
	if c := at(a) - at(b); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// ProjectEdit is what an edit of the State means for the project.
type ProjectEdit struct {
	New      records.Members // the record, where there is none yet
	Set      map[string]any  // members that change
	Progress map[string]any  // what it says was reached in layers; see records.IsProgress
}

// CompareProject returns what an edit of the State means for the record of the project.
// A tree without one gets it if its facts stand in records alone.
func CompareProject(d Document, f *Facts) ProjectEdit {
	var e ProjectEdit
	before, after := ProjectOf(d.Before), ProjectOf(d.After)
	if len(after) == 0 || d.Name != fs.State {
		return e // gone, or nothing that can be read
	}
	if f.only && !f.project.Exists() {
		e.New = after
		return e
	}
	names := maps.Clone(before)
	maps.Copy(names, after)
	for name := range names {
		was, is := before[name], after[name]
		if is != nil && was != nil && records.Same(was, is) || is == nil && was == nil {
			continue
		}
		if held, ok := f.project.Members[name]; ok && is != nil && records.Same(held, is) || !ok && is == nil {
			continue
		}
		if is == nil && mustStay(name) {
			continue // it is shown again
		}
		if is != nil && !records.Project.Admits(name, is) {
			continue // no record can hold it
		}
		set := &e.Set
		if records.IsProgress(name) {
			set = &e.Progress
		}
		if *set == nil {
			*set = map[string]any{}
		}
		if (*set)[name] = is; is == nil {
			(*set)[name] = nil
		}
	}
	return e
}
