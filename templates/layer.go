package templates

import (
	"embed"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

//go:embed layer/*.md
var layers embed.FS

// LayerTemplate returns the template of what is written in a layer, 0 (IDEA) to
// 5 (CODE): the id and the name of the artifact that it is, and its text, which
// is markdown. Of another layer there is none: the id is empty.
func LayerTemplate(layer int) (id, name string, text []byte) {
	layerName, ok := schema.LayerName(layer)
	if !ok {
		return "", "", nil
	}
	text, err := layers.ReadFile("layer/" + strings.ToLower(layerName) + ".md")
	if err != nil {
		panic(err) // embedded, one for each layer
	}
	return "TEMPLATE-" + layerName, "Template for the layer " + layerName, text
}
