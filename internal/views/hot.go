package views

import (
	"bytes"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// Version returns the version of a hot context, which holds src: the one that it says, or where
// others wrote it since it was rendered, and did not raise that, one more than it said then. A program
// that knows of no version leaves it out, and a person leaves it as it was.
func Version(r fs.Reader, name string, src []byte) int {
	version := versionIn(src)
	for i, text := range LastRenderings(r, name).texts {
		if i > 0 || !bytes.Equal(text, src) {
			version = max(version, versionIn(text)+1)
		}
	}
	return version
}

// mostVersion is the greatest version that a hot context may have.
const mostVersion = 1<<53 - 1

// versionIn returns the version that a hot context says; 0 if it says none, or one that no counting leads to.
func versionIn(src []byte) int {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return 0
	}
	version, _ := doc.Int(doc.Find("/version"))
	if version < 0 || version >= mostVersion {
		return 0
	}
	return int(version)
}

// WithVersion returns a hot context with the version.
func WithVersion(src []byte, version int) ([]byte, error) {
	if version == versionIn(src) {
		return src, nil
	}
	return jsonedit.Set(src, "/version", fmt.Appendf(nil, "%d", version))
}

// ofSession are the members of a hot context that no record holds and that are of its session.
var ofSession = []string{"conversation_id", "session_started", "current_file_context", "key_entities"}

// Refill returns a hot context, which holds src, with what no record holds of it as it was rendered
// last: the members of its session that are empty, and the items that were detected. A src that says its
// version is an edit, and stays as it is: only a program that does not know what stood there leaves that out.
func Refill(src, last []byte) ([]byte, error) {
	now, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	if now.Find("/version") >= 0 || versionIn(last) == 0 {
		return src, nil
	}
	before, err := jsonedit.Parse(last)
	if err != nil {
		return nil, err
	}
	for _, name := range ofSession {
		if i := before.Find("/" + name); isEmpty(now, now.Find("/"+name)) && !isEmpty(before, i) {
			if src, err = jsonedit.Set(src, "/"+name, before.Raw(i)); err != nil {
				return nil, err
			}
		}
	}
	for _, l := range listsOf(fs.Sessions + "/any/hot_context.json") {
		there := itemSet{}
		there.add(l.items(now))
		for _, it := range l.items(before) {
			if _, stands := there.find(it); stands || !it.detected() {
				continue
			}
			if src, err = jsonedit.Append(src, l.pointer, it.raw); err != nil {
				return nil, err
			}
		}
	}
	return src, nil
}

// isEmpty reports whether node i, which is -1 if there is none, is null, or a list or an object without content.
func isEmpty(doc *jsonedit.Doc, i int) bool {
	if i < 0 {
		return true
	}
	is := doc.Nodes[i]
	return is.Kind == jsonedit.Null || is.Kind >= jsonedit.Array && is.Len == 0
}

// IsKept reports whether nothing is lost of ours, the hot context of the active session as it was rendered, because
// somebody saved save over it: what it shows stands in records, or in save, or is what [Refill] brings back.
func IsKept(r fs.Reader, name string, save, ours []byte) bool {
	if !isActive(r, name) || !LastRenderings(r, name).Knows(ours) {
		return false
	}
	refilled, err := Refill(save, ours)
	if err != nil {
		return false
	}
	now, err := jsonedit.Parse(refilled)
	if err != nil {
		return false
	}
	before, err := jsonedit.Parse(ours)
	if err != nil {
		return false
	}
	lists := map[string]list{}
	for _, l := range listsOf(name) {
		lists[l.pointer] = l
	}
	facts, _ := Read(r) // of what cannot be read there is no record
	for m := range before.Children(0) {
		pointer := before.Pointer(m)
		at := now.Find(pointer)
		if at >= 0 && records.Same(now.Raw(at), before.Raw(m)) || pointer == "/version" || isEmpty(before, m) {
			continue
		}
		l, isList := lists[pointer]
		if isList && !facts.hasAll(l, before, now) || pointer == decisionsAt(name) && !areRecorded(r, name, ours) ||
			!isList && pointer != decisionsAt(name) {
			return false
		}
	}
	return true
}

// hasAll reports whether the items of l in doc, if it is a list, stand in records or in another document.
func (f *Facts) hasAll(l list, doc, other *jsonedit.Doc) bool {
	if doc.Nodes[doc.Find(l.pointer)].Kind != jsonedit.Array {
		return false
	}
	there := itemSet{}
	there.add(f.newTaking().items(l, other))
	for _, it := range f.newTaking().items(l, doc) {
		_, known := f.of(l.kind, it)
		if _, stands := there.find(it); !known && !stands {
			return false
		}
	}
	return true
}

// areRecorded reports whether the decisions of a view, which holds src, have files that say the same.
func areRecorded(r fs.Reader, name string, src []byte) bool {
	all, err := Decisions(name, src)
	shown, wrong := Import(records.NewImporter(r), name, src)
	if err != nil || wrong != nil || len(shown) < len(all) { // not all are decisions
		return false
	}
	for _, d := range shown {
		if !d.Recorded {
			return false
		}
		var recorded schema.Decision
		file, _, _ := records.Decision.Find(r, d.ID)
		text, err := r.Read(file)
		if err != nil || jsonedit.Decode(text, &recorded) != nil || recorded.Decision != d.Decision.Decision || recorded.Rationale != d.Rationale {
			return false
		}
	}
	return true
}
