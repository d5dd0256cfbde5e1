package assemble

import (
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// The lengths of shown ids, which only have to be distinct: a UUID has more tokens than many
// messages.
const (
	leastID = 12 // characters, so that they can be searched for
	mostID  = 80
)

// idLength is the number of characters that distinguish the ids of all items that may be
// quoted.
func (in *Input) idLength() int {
	for n := leastID; n < mostID; n += 4 {
		short := map[string]string{} // → the id
		differ := true
		tell := func(id string) {
			before, ok := short[brief(id, n)]
			short[brief(id, n)] = id
			differ = differ && (!ok || before == id)
		}
		for _, m := range in.Recent {
			tell(m.ID)
		}
		for _, r := range in.Recalled {
			tell(r.ID)
		}
		if differ {
			return n
		}
	}
	return mostID
}

// brief returns an id, shortened to n characters if it is much longer. Characters that ids
// cannot have become points.
func brief(id string, n int) string {
	id = strings.Map(func(r rune) rune {
		if schema.ValidID("_" + string(r)) {
			return r
		}
		return '.'
	}, id)
	if len(id) > n+len("…")+1 {
		return id[:n] + "…"
	}
	return id
}
