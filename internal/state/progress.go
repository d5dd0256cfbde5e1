package state

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// progress holds the members of project.progress for one layer. Clarity and Best are percentages.
// Entered is the time of the checkpoint at which the layer was entered.
type progress struct {
	Entered     string  `json:"entered,omitzero"`
	Clarity     float64 `json:"clarity"`
	Best        float64 `json:"best"`
	Invalidated bool    `json:"invalidated"`
}

// EnterLayer records that the current layer was entered at the State's last checkpoint. It does
// nothing if that is recorded already, as in a working copy that pulled the transition.
func EnterLayer(src []byte) ([]byte, error) {
	return track(src, func(p *progress, known bool, now progress) bool {
		if known && p.Entered == now.Entered && !p.Invalidated {
			return false
		}
		*p = progress{Entered: now.Entered, Clarity: now.Clarity, Best: p.Best} // the clarity is of the former layer
		return true
	})
}

// TrackProgress records the clarity of the current layer, if it is not the one that is recorded: a
// clarity that a transition carried over from the former layer is none that this layer reached.
func TrackProgress(src []byte) ([]byte, error) {
	return track(src, func(p *progress, known bool, now progress) bool {
		if known && p.Entered != "" && p.Clarity == now.Clarity {
			return false
		}
		if p.Entered == "" {
			p.Entered = now.Entered
		}
		p.Clarity, p.Best = now.Clarity, max(p.Best, now.Clarity)
		return true
	})
}

// track changes the progress of the current layer.
func track(src []byte, change func(p *progress, known bool, now progress) bool) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	layer, okLayer := figure(doc, "/project/current_layer")
	clarity, okClarity := figure(doc, "/project/clarity")
	if !okLayer || !okClarity {
		return src, nil
	}
	at := fmt.Sprintf("/project/progress/%d", int(layer))
	var p progress
	i := doc.Find(at)
	if i >= 0 {
		if err := jsonedit.Decode(doc.Raw(i), &p); err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
	}
	now := progress{Entered: stringAt(doc, "/metadata/timestamp"), Clarity: clarity}
	if !change(&p, i >= 0, now) {
		return src, nil
	}
	if i < 0 {
		return put(src, member{at, p})
	}
	changes := []member{
		{at + "/clarity", p.Clarity}, {at + "/best", p.Best}, {at + "/invalidated", p.Invalidated},
	}
	if p.Entered != "" {
		changes = append(changes, member{at + "/entered", p.Entered})
	}
	return put(src, changes...)
}

// TrackArtifact sets the clarity of the current layer's artifact to that of the State. The id of
// that artifact is in project.current_idea at layer 0, in project.current_module at layer 1, and so
// on. Without such an artifact nothing changes.
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
	id := stringAt(doc, "/project/current_"+strings.ToLower(name))
	if id == "" {
		return src, nil
	}
	artifacts := doc.Find("/loaded_artifacts")
	if artifacts < 0 {
		return src, nil
	}
	n := 0
	for i := range doc.Children(artifacts) {
		if at := fmt.Sprintf("/loaded_artifacts/%d", n); stringAt(doc, at+"/id") == id && i > 0 {
			return put(src, member{at + "/clarity", clarity})
		}
		n++
	}
	return src, nil
}
