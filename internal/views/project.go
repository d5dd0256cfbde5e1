package views

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// The State shows the project: its name, its layer, its clarity. The members of the project's
// record are named by their place in the State. Members of the section `project` have their own
// names, "progress/2" is the progress of a layer, "/role" is a member of the document, and
// "/notes/x" is a member of an object of the document.

// ofWorkingCopy lists the members of a State that belong to the working copy, or are views of other
// records.
var ofWorkingCopy = []string{
	"$schema", "version", "schema", "metadata", "project", "context_window", "loaded_artifacts", "recent_decisions",
	"pending_actions", "open_questions", "available_commands", "session_stats",
}

// ProjectOf returns the members of the project in a State.
func ProjectOf(src []byte) records.Members {
	m := records.Members{}
	doc, err := jsonedit.Parse(src)
	if err != nil || doc.Nodes[0].Kind != jsonedit.Object {
		return m
	}
	for i := range doc.Children(0) {
		name := doc.Key(i)
		if slices.Contains(ofWorkingCopy, name) {
			continue
		}
		if name == "role" || strings.Contains(name, "/") || doc.Nodes[i].Kind != jsonedit.Object {
			m["/"+name] = json.RawMessage(doc.Raw(i))
			continue
		}
		for member := range doc.Children(i) { // one by one, because others may change them concurrently
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

// projectPointer returns the JSON pointer in the State for a member of the project's record.
func projectPointer(name string) string {
	escape := jsonedit.EscapePointer
	if top, ok := strings.CutPrefix(name, "/"); ok {
		if object, member, ok := strings.Cut(top, "/"); ok {
			return "/" + escape(object) + "/" + escape(member)
		}
		return "/" + escape(top)
	}
	if layer, ok := strings.CutPrefix(name, "progress/"); ok {
		return "/project/progress/" + escape(layer)
	}
	return "/project/" + escape(name)
}

// renderProject updates the members of the project in a State. A tree without a record keeps them
// in the State only. The argument last is the last rendering of the State. If facts are in records
// only, a member that last has and the record lacks was removed by git.
func renderProject(src, last []byte, f *Facts) ([]byte, error) {
	project, now := f.project, ProjectOf(src)
	gone := unset(project)
	if f.only && project.Exists() {
		for name := range ProjectOf(last) {
			if _, held := project.Members[name]; !held && !slices.Contains(gone, name) && !slices.Contains(mustHave, name) {
				gone = append(gone, name)
			}
		}
	}
	slices.Sort(gone)
	for _, name := range gone {
		if _, ok := now[name]; ok {
			var err error
			if src, err = jsonedit.Delete(src, projectPointer(name)); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(project.Members), byProjectOrder) {
		value := project.Members[name]
		if is, ok := now[name]; ok && records.Same(is, value) {
			continue
		}
		var err error
		if src, err = jsonedit.Set(src, projectPointer(name), value); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// Unedited returns a State as it would be rendered without an edit of the project that set members.
func Unedited(src []byte, set map[string]any, f *Facts) ([]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if _, held := f.project.Members[name]; held || set[name] == nil {
			continue // rendering restores it
		}
		var err error
		if src, err = jsonedit.Delete(src, projectPointer(name)); err != nil {
			return nil, err
		}
	}
	return Render(fs.State, src, nil, f)
}

var projectOrder = []string{"/role", "name", "id", "current_idea", "current_layer", "layer_name", "clarity", "status"}

// byProjectOrder compares members by their order in the documents.
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

// A ProjectEdit is the change of the project that follows from an edit of the State.
type ProjectEdit struct {
	New      records.Members // the record to be made, if there is none
	Set      map[string]any  // members to change
	Restored []string        // required members that somebody removed from the State
}

// mustHave lists the members of the project that every State has.
var mustHave = []string{"/role", "name", "current_layer", "clarity"}

// CompareProject returns the change of the project that follows from an edit of the State. A tree
// without a record of the project gets one if its facts are in records only. An edit cannot remove
// a required member.
func CompareProject(d Document, f *Facts) ProjectEdit {
	var e ProjectEdit
	before, after := ProjectOf(d.Before), ProjectOf(d.After)
	if len(after) == 0 || d.Name != fs.State {
		return e // removed, or not readable
	}
	if f.only && !f.project.Exists() {
		e.New = after
		return e
	}
	if d.Unknown { // the record takes precedence
		maps.DeleteFunc(before, func(name string, _ json.RawMessage) bool { return f.project.Members[name] == nil })
	}
	names := maps.Clone(before)
	maps.Copy(names, after)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, is := before[name], after[name]
		if is != nil && was != nil && records.Same(was, is) || is == nil && was == nil {
			continue
		}
		if held, ok := f.project.Members[name]; ok && is != nil && records.Same(held, is) || !ok && is == nil {
			continue
		}
		if is == nil && slices.Contains(mustHave, name) {
			e.Restored = append(e.Restored, name)
			continue
		}
		if e.Set == nil {
			e.Set = map[string]any{}
		}
		if e.Set[name] = is; is == nil {
			e.Set[name] = nil
		}
	}
	return e
}
