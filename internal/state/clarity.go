package state

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// TrackArtifact gives the current layer's artifact the clarity of the State.
// It is the artifact whose id project.current_idea names at layer 0,
// project.current_module at layer 1, and so on; without one nothing changes.
func TrackArtifact(src []byte) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	layer, _ := figure(doc, "/project/current_layer")
	clarity, ok := figure(doc, "/project/clarity")
	name, known := schema.LayerName(int(layer))
	if !ok || !known {
		return src, nil
	}
	id := text(doc, "/project/current_"+strings.ToLower(name))
	if id == "" {
		return src, nil
	}
	artifacts := doc.Find("/loaded_artifacts")
	if artifacts < 0 {
		return src, nil
	}
	n := 0
	for i := range doc.Children(artifacts) {
		if at := fmt.Sprintf("/loaded_artifacts/%d", n); text(doc, at+"/id") == id && i > 0 {
			return put(src, member{at + "/clarity", clarity})
		}
		n++
	}
	return src, nil
}
