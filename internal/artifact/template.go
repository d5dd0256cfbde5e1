package artifact

import "github.com/forgemind/forgemind/internal/tokens"

// templateTokens holds the tokens of the program's templates by the default counter, so that a
// watcher need not load the counter's vocabulary for a layer transition.
var templateTokens = map[string]int{
	"TEMPLATE-IDEA":          174,
	"TEMPLATE-MODULE":        176,
	"TEMPLATE-DOMAIN":        181,
	"TEMPLATE-REQUIREMENT":   139,
	"TEMPLATE-SPECIFICATION": 203,
	"TEMPLATE-CODE":          170,
}

// cost returns the tokens of a target.
func (e Edge) cost(found target) int {
	if n, known := templateTokens[found.artifact.ID]; known && found.artifact.Path == "" && e.Counter == tokens.Default {
		return n
	}
	return e.Count(string(found.content))
}
