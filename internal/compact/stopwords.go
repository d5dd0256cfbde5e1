package compact

import "strings"

// common are words that are frequent in all English texts.
const common = `about above after again against all am an and any are aren as at be because been before being below between
both but by can cannot could couldn did didn do does doesn doing don down during each few for from further had hadn has hasn
have haven having he her here hers herself him himself his how if in into is isn it its itself let ll me more most my myself
no nor not of off on once only or other our ours ourselves out over own re same she should shouldn so some such than that the
their theirs them themselves then there these they this those through to too under until up ve very was wasn we were weren
what when where which while who whom why will with won would wouldn you your yours yourself yourselves`

// commonWords returns the set of their hashes.
func commonWords() map[uint64]bool {
	set := map[uint64]bool{}
	for word := range strings.FieldsSeq(common) {
		set[hashOf(word)] = true
	}
	return set
}
