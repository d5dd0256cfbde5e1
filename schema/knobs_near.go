package schema

import "strings"

// NearKnob is the spelling of a knob that name is most likely meant for, "" where
// none is like it.
func NearKnob(name string) string {
	name = strings.ToUpper(strings.TrimSpace(name))
	best, least := "", min(max(2, len(name)/3), 8)+1
	for _, k := range knobs {
		for _, spelling := range []string{k.Name, k.Also} {
			if spelling == "" || len(name) > 2*len(spelling) {
				continue
			}
			if n := Distance(name, spelling); n < least {
				best, least = spelling, n
			}
		}
	}
	return best
}
