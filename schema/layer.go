package schema

// The layers of a project, from idea to code.
var layers = [...]string{"IDEA", "MODULE", "DOMAIN", "REQUIREMENT", "SPECIFICATION", "CODE"}

// LayerName returns the name of layer n, "IDEA" (0) to "CODE" (5). It returns false if
// there is no such layer.
func LayerName(n int) (string, bool) {
	if n < 0 || n >= len(layers) {
		return "", false
	}
	return layers[n], true
}

// LayerNames returns the names of the layers; the index is the layer.
func LayerNames() []string { return append([]string(nil), layers[:]...) }
