package operation

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// A BlockedError reports that an action is blocked.
type BlockedError struct {
	ID string   // of the action, or its text
	By []string // ids of questions and actions, or texts
}

func (e *BlockedError) Error() string {
	const most = 5
	var by []string
	for _, b := range e.By[:min(len(e.By), most)] {
		if !schema.ValidID(b) || len(b) > 60 {
			b = fmt.Sprintf("%.60q", b)
		}
		by = append(by, b)
	}
	if more := len(e.By) - most; more > 0 {
		by = append(by, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("action %.60q is blocked by %s", e.ID, strings.Join(by, ", "))
}
