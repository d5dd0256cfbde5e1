package validate

import (
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

var layerMismatch = Rule{
	Name:     "layer-mismatch",
	Severity: Error,
	Summary:  "The layer's number and its name say different layers.",
	Help: `Rule set 2, consistency: project.layer_name is the name of
project.current_layer.

    0 IDEA   1 MODULE   2 DOMAIN   3 REQUIREMENT   4 SPECIFICATION   5 CODE

Triggers go by the number, people and agents by the name: where the two differ,
each works on another layer.

The number decides. A change of the project sets both, or neither.

Wrong:

    "current_layer": 1, "layer_name": "DOMAIN"

Right:

    "current_layer": 2, "layer_name": "DOMAIN"

To mend it, decide which of the two was meant. ` + "`forgemind layer N`" + ` changes both.
`,
	record: func(d *document) {
		project := -1
		switch file, _ := d.recordFile(); {
		case d.isState():
			project = d.member(0, "project")
		case !d.parsed() || file.Folder.Kind.Name != records.Project.Name:
		case d.kind == fs.DocChange:
			project = d.member(0, "set")
		default:
			project = 0
		}
		layer, name := d.member(project, "current_layer"), d.member(project, "layer_name")
		if d.kindOf(name) != jsonedit.String {
			return
		}
		if layer < 0 && d.kind == fs.DocChange {
			d.at(name, "the name of a layer without its number, current_layer, which decides", "set both, or neither")
			return
		}
		number, ok := d.number(layer)
		if !ok || number != float64(int(number)) {
			return
		}
		want, ok := schema.LayerName(int(number))
		if !ok || string(d.text(name)) == want || d.str(name) == want {
			return
		}
		// A name that no layer has is against the schema already, which
		// knows less about it.
		d.at(name, fmt.Sprintf("Layer mismatch: %d != %s (layer %d is %s)", int(number), plain(d.str(name)), int(number), want),
			fmt.Sprintf("write %q, or the number of the layer that is meant; forgemind layer N changes both", want))
	},
}
