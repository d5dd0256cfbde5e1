package state

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// The functions of this file are the parts of a backtrack besides SetLayer. Each can be used alone.
// None takes a decision, a question or an action from the snapshot; the current ones stay.

// RestoreArtifacts loads and unloads artifacts so that the same ones are loaded as in a snapshot.
// An artifact that the snapshot does not have stays listed and is unloaded, unless it is of load
// layer 1. An artifact that is no longer listed does not come back. RestoreArtifacts updates the
// window.
func RestoreArtifacts(src, snapshot []byte) ([]byte, error) {
	doc, then, err := parseBoth(src, snapshot)
	if err != nil {
		return nil, err
	}
	was := map[string]bool{}
	if list := then.Find(artifacts); list >= 0 {
		for i := range then.Children(list) {
			if id := word(then, i, "id"); id != "" {
				was[id] = isLoaded(then, i)
			}
		}
	}
	before := loadedTokens(doc)
	src, err = each(src, artifacts, func(doc *jsonedit.Doc) ([]byte, error) {
		want, known := was[word(doc, 0, "id")]
		layer, _ := figure(doc, "/load_layer")
		if want == isLoaded(doc, 0) || !known && layer == 1 {
			return doc.Src, nil
		}
		return put(doc.Src, member{"/loaded", want})
	})
	if err != nil {
		return nil, err
	}
	if doc, err = jsonedit.Parse(src); err != nil {
		return nil, err
	}
	if after := loadedTokens(doc); after != before {
		return moveUsed(src, after-before)
	}
	return src, nil
}

// RestoreLayer copies from a snapshot the progress of its layer, the current artifacts
// (project.current_idea and so on) and the project's status. Members that the snapshot lacks stay.
func RestoreLayer(src, snapshot []byte) ([]byte, error) {
	doc, then, err := parseBoth(src, snapshot)
	if err != nil {
		return nil, err
	}
	pointers := []string{"/project/status"}
	for _, name := range schema.LayerNames() {
		pointers = append(pointers, "/project/current_"+strings.ToLower(name))
	}
	layer, _ := wholeLayer(then)
	record := fmt.Sprintf("/project/progress/%d", layer)
	if doc.Find(record) < 0 {
		pointers = append(pointers, record)
	} else {
		for _, name := range []string{"entered", "clarity", "best", "invalidated"} {
			pointers = append(pointers, record+"/"+name)
		}
	}
	for _, pointer := range pointers {
		i := then.Find(pointer)
		if i < 0 || then.Nodes[i].Kind == jsonedit.Null && doc.Find(pointer) < 0 {
			continue // absent on both sides
		}
		if src, err = jsonedit.Set(src, pointer, then.Raw(i)); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// ResetClarity copies the clarity of a snapshot if it is lower.
func ResetClarity(src, snapshot []byte) ([]byte, error) {
	doc, then, err := parseBoth(src, snapshot)
	if err != nil {
		return nil, err
	}
	now, ok := figure(doc, "/project/clarity")
	was, ok2 := figure(then, "/project/clarity")
	if !ok || !ok2 || was >= now {
		return src, nil
	}
	return SetClarity(src, was)
}

// InvalidateForward marks the progress of layers after the current one as in doubt: every layer
// with recorded progress, and the next layer even without it. It deletes nothing.
func InvalidateForward(src []byte) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	layer, ok := wholeLayer(doc)
	if !ok {
		return src, nil
	}
	var changes []member
	for n := layer + 1; n < len(schema.LayerNames()); n++ {
		record := fmt.Sprintf("/project/progress/%d", n)
		if n == layer+1 || doc.Find(record) >= 0 {
			changes = append(changes, member{record + "/invalidated", true})
		}
	}
	return put(src, changes...)
}

// parseBoth parses a State and a snapshot.
func parseBoth(src, snapshot []byte) (doc, then *jsonedit.Doc, err error) {
	if doc, err = jsonedit.Parse(src); err != nil {
		return nil, nil, err
	}
	if then, err = jsonedit.Parse(snapshot); err != nil {
		return nil, nil, fmt.Errorf("snapshot: %w", err)
	}
	return doc, then, nil
}

// isLoaded reports whether an artifact is loaded.
func isLoaded(doc *jsonedit.Doc, i int) bool {
	l := doc.Member(i, "loaded")
	return l >= 0 && doc.Nodes[l].Kind == jsonedit.True
}
