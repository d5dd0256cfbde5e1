package artifact

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// maxNear is how many ids are suggested, and maxWord how long a word may be,
// in bytes, to be compared.
const (
	maxNear = 5
	maxWord = 200
)

// A nearby collects what is written much as want is.
type nearby struct {
	want  string
	found map[string]int // id → how far off
}

// offer considers an id that is known by a word: itself or its path.
func (n *nearby) offer(word, id string) {
	if word == "" || id == "" || len(word) > maxWord || len(n.want) > maxWord {
		return
	}
	a, b := strings.ToLower(n.want), strings.ToLower(word)
	most := max(2, len(a)/3)
	if len(b)-len(a) > most || len(a)-len(b) > most {
		return
	}
	off := schema.Distance(a, b)
	if off > most {
		return
	}
	if n.found == nil {
		n.found = map[string]int{}
	}
	if best, ok := n.found[id]; !ok || off < best {
		n.found[id] = off
	}
}

// ids are those found, the nearest first.
func (n *nearby) ids() []string {
	var ids []string
	for id := range n.found {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(n.found[a], n.found[b]), cmp.Compare(a, b)) })
	return ids[:min(len(ids), maxNear)]
}
