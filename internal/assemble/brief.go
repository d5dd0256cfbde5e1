package assemble

import (
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// Ids are shown so far as it takes to tell them apart: a UUID costs more tokens
// than many a message.
const (
	leastID = 12 // characters, so that they can be searched for
	mostID  = 80
)

// idLength is how many characters tell the ids apart of all that may be quoted.
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

// brief is an id cut to n characters, if it has many more. What no id can hold
// is a point.
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
