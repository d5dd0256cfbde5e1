package templates

import (
	"embed"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

//go:embed layer/*.md
var layerFiles embed.FS

// LayerTemplate returns the template for the artifacts of a layer, 0 (IDEA) to
// 5 (CODE): the id and the name of the template, which is itself an artifact, and
// its text in markdown. For any other layer id is "" and text is nil.
func LayerTemplate(layer int) (id, name string, text []byte) {
	layerName, ok := schema.LayerName(layer)
	if !ok {
		return "", "", nil
	}
	text, err := layerFiles.ReadFile("layer/" + strings.ToLower(layerName) + ".md")
	if err != nil {
		panic(err) // each layer has an embedded template
	}
	return "TEMPLATE-" + layerName, "Template for the layer " + layerName, text
}
