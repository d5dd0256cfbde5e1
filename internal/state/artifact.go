package state

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

const artifacts = "/loaded_artifacts"

// RecountArtifact records that the file of an artifact has changed: what it
// costs now, by which counter, its size in KB, and when it was changed (RFC
// 3339). The window follows where the artifact is loaded. An *Unknown is one
// that the State does not list.
func RecountArtifact(src []byte, id string, tokens int, counter string, sizeKB float64, modified string) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	n := index(doc, artifacts, id)
	if n < 0 {
		return nil, unknown(doc, "artifact", id, artifacts)
	}
	before := loadedTokens(doc)
	at := fmt.Sprintf("%s/%d", artifacts, n)
	src, err = put(src, member{at + "/tokens", tokens}, member{at + "/counter", counter},
		member{at + "/size_kb", sizeKB}, member{at + "/last_modified", modified})
	if err != nil {
		return nil, err
	}
	if doc, err = jsonedit.Parse(src); err != nil {
		return nil, err
	}
	return moveUsed(src, loadedTokens(doc)-before)
}
