package knobs

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// New returns a context-config.yaml with every knob at its default.
func New() []byte {
	var b strings.Builder
	b.WriteString("# The knobs of what leaves a conversation, and when. 'forgemind config explain NAME' shows more about each;\n" +
		"# a ratio is a part of 1: 0.5 is 50 %.\n")
	section := ""
	for _, k := range schema.AllKnobs() {
		if k.Section != section {
			section = k.Section
			fmt.Fprintf(&b, "\n# ---- %s ----\n", section)
		}
		means := k.Means
		if k.Also != "" {
			means += fmt.Sprintf(" %s is read too.", k.Also)
		}
		fmt.Fprintf(&b, "\n# %s\n%s: %s\n", means, k.Name, k.Default())
	}
	return []byte(b.String())
}
