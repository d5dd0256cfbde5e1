package schema

import (
	"strings"

	"github.com/forgemind/forgemind/internal/text"
)

// NearKnob returns the name of the knob that is most similar to name, "" if none is
// similar enough.
func NearKnob(name string) string {
	name = strings.ToUpper(strings.TrimSpace(name))
	best, least := "", min(max(2, len(name)/3), 8)+1
	for _, k := range knobs {
		for _, spelling := range []string{k.Name, k.Also} {
			if spelling == "" || len(name) > 2*len(spelling) {
				continue
			}
			if n := text.Distance(name, spelling); n < least {
				best, least = spelling, n
			}
		}
	}
	return best
}
