package state

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

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
