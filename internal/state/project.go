package state

import (
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// UpdateProject updates members that depend on others: the name of the layer, the status of a
// project that is no longer "Not Started", and the derived figures of the context window. The
// argument decisions is the number of decisions in the Ledger.
func UpdateProject(src []byte, decisions int) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	layer, known := figure(doc, "/project/current_layer")
	if !known {
		return src, nil
	}
	var changes []member
	if name, ok := schema.LayerName(int(layer)); ok {
		changes = append(changes, member{"/project/layer_name", name})
	}
	clarity, _ := figure(doc, "/project/clarity")
	moved := layer > 0 || clarity > 0 || decisions > 0
	if status := stringAt(doc, "/project/status"); moved && (status == "" || status == NotStarted) {
		changes = append(changes, member{"/project/status", InProgress})
	}
	if src, err = put(src, changes...); err != nil {
		return nil, err
	}
	return MendWindow(src)
}

// Values of project.status that forgemind writes. People may write others.
const (
	NotStarted = "Not Started"
	InProgress = "In Progress"
)
