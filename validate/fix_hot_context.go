package validate

import "github.com/forgemind/forgemind/internal/jsonedit"

// addLists adds missing lists to a hot context, empty.
func (m *mender) addLists() {
	for _, list := range requiredLists {
		doc, err := jsonedit.Parse(m.src)
		if err != nil || doc.Nodes[0].Kind != jsonedit.Object {
			return
		}
		if doc.Member(0, list) < 0 {
			m.set(missingSection, "/"+list, "[]", "added the empty list "+list)
		}
	}
}
