package engine

import (
	"testing"

	"github.com/forgemind/forgemind/schema"
)

// A panic while messages are weighed is one of the caller, who may catch it.
func TestAPanicOfWeighing(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("nobody panicked")
		}
	}()
	var r *WorkingSet
	r.rateAll([]schema.Message{{Content: "We use lime."}, {Content: "And sand."}})
}
