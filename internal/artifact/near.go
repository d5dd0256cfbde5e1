package artifact

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
)

// maxNear is the largest number of suggested ids, maxWord the largest length of a word that is
// compared, in bytes.
const (
	maxNear = 5
	maxWord = 200
)

// A nearby collects ids that are spelled like want.
type nearby struct {
	want  string
	found map[string]int // id → edit distance
}

// offer considers an id under a word: the id itself or its path.
func (n *nearby) offer(word, id string) {
	if word == "" || id == "" || len(word) > maxWord || len(n.want) > maxWord {
		return
	}
	a, b := strings.ToLower(n.want), strings.ToLower(word)
	most := max(2, len(a)/3)
	if len(b)-len(a) > most || len(a)-len(b) > most {
		return
	}
	off := text.Distance(a, b)
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

// ids returns the collected ids, nearest first.
func (n *nearby) ids() []string {
	var ids []string
	for id := range n.found {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(n.found[a], n.found[b]), cmp.Compare(a, b)) })
	return ids[:min(len(ids), maxNear)]
}
