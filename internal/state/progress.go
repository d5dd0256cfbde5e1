package state

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// progress is what project.progress holds of one layer. Clarity and Best are
// percentages; Entered is the time of the checkpoint that entered the layer.
type progress struct {
	Entered     string  `json:"entered,omitzero"`
	Clarity     float64 `json:"clarity"`
	Best        float64 `json:"best"`
	Invalidated bool    `json:"invalidated"`
}

// EnterLayer records that the current layer was entered at the State's last
// checkpoint. A layer that was entered at that very time is left alone: a
// copy that receives a transition finds it recorded.
func EnterLayer(src []byte) ([]byte, error) {
	return track(src, func(p *progress, known bool, now progress) bool {
		if known && p.Entered == now.Entered && !p.Invalidated {
			return false
		}
		*p = progress{Entered: now.Entered, Clarity: now.Clarity, Best: max(p.Best, now.Clarity)}
		return true
	})
}

// TrackProgress records the clarity reached in the current layer.
func TrackProgress(src []byte) ([]byte, error) {
	return track(src, func(p *progress, _ bool, now progress) bool {
		if p.Entered == "" {
			p.Entered = now.Entered
		}
		p.Clarity, p.Best = now.Clarity, max(p.Best, now.Clarity)
		return true
	})
}

// track changes the current layer's progress.
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
	now := progress{Entered: text(doc, "/metadata/timestamp"), Clarity: clarity}
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
