package state

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// What a backtrack does besides SetLayer, in pieces that each may be done
// alone. None takes a decision, a question or an action from the snapshot:
// those of now stay.

// RestoreArtifacts loads and unloads artifacts as they were in a snapshot. What
// the snapshot does not know stays listed and is unloaded, unless it is of load
// layer 1, which is always loaded. Nothing that has left the list comes back.
// The window follows.
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

// RestoreLayer takes over what a snapshot says of the artifacts that were worked
// on (project.current_idea and so on), and of the project's status. What it says
// nothing of stays.
func RestoreLayer(src, snapshot []byte) ([]byte, error) {
	doc, then, err := parseBoth(src, snapshot)
	if err != nil {
		return nil, err
	}
	pointers := []string{"/project/status"}
	for _, name := range schema.LayerNames() {
		pointers = append(pointers, "/project/current_"+strings.ToLower(name))
	}
	for _, pointer := range pointers {
		i := then.Find(pointer)
		if text(then, pointer) == schema.NotStarted {
			continue // what has begun is no longer that
		}
		if i < 0 || then.Nodes[i].Kind == jsonedit.Null && doc.Find(pointer) < 0 {
			continue // nothing is said of it, on either side
		}
		if src, err = jsonedit.Set(src, pointer, then.Raw(i)); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// ResetClarity takes over a snapshot's clarity where that was lower.
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

// isLoaded says whether an artifact is loaded.
func isLoaded(doc *jsonedit.Doc, i int) bool {
	l := doc.Member(i, "loaded")
	return l >= 0 && doc.Nodes[l].Kind == jsonedit.True
}
