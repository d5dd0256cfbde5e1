package artifact

import "github.com/forgemind/forgemind/internal/tokens"

// templateTokens is what the program's templates cost by the default counter.
// So a watcher that sees a project go from layer to layer needs not keep all of
// that counter's words in memory.
var templateTokens = map[string]int{
	"TEMPLATE-IDEA":          174,
	"TEMPLATE-MODULE":        176,
	"TEMPLATE-DOMAIN":        181,
	"TEMPLATE-REQUIREMENT":   139,
	"TEMPLATE-SPECIFICATION": 203,
	"TEMPLATE-CODE":          170,
}

// cost is what was found costs, in tokens.
func (e Edge) cost(found target) int {
	if n, known := templateTokens[found.artifact.ID]; known && found.artifact.Path == "" && e.Counter == tokens.Default {
		return n
	}
	return e.Count(string(found.content))
}
