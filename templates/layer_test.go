package templates_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

func TestEachLayerHasATemplate(t *testing.T) {
	for layer, name := range schema.LayerNames() {
		id, title, text := templates.LayerTemplate(layer)
		if id != "TEMPLATE-"+name || !schema.ValidID(id) || !strings.Contains(title, name) {
			t.Errorf("layer %d: %q, %q", layer, id, title)
		}
		for _, want := range []string{"---\nid: ", "\ntype: " + strings.ToLower(name) + "\n", "\n# ", "\n## "} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q", id, want)
			}
		}
	}
	for _, layer := range []int{-1, 6} {
		if id, _, text := templates.LayerTemplate(layer); id != "" || text != nil {
			t.Errorf("layer %d has %s", layer, id)
		}
	}
}
