package state_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// example returns the State of the CMS document.
func example(t testing.TB) string {
	t.Helper()
	src, err := os.ReadFile("../../testdata/fixtures/valid-cms/" + fs.State)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// ask and add show one more question or action in the State.
func ask(id string) edit {
	return func(src []byte) ([]byte, error) {
		return jsonedit.Append(src, "/open_questions", fmt.Appendf(nil, `{"id": %q, "question": "?"}`, id))
	}
}

func add(id string) edit {
	return func(src []byte) ([]byte, error) {
		return jsonedit.Append(src, "/pending_actions", fmt.Appendf(nil, `{"id": %q, "action": "!"}`, id))
	}
}

func decoded(t interface{ Fatal(...any) }, src []byte) schema.State {
	var s schema.State
	if err := jsonedit.Decode(src, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func actionIDs(s schema.State) (ids []string) {
	for _, a := range s.PendingActions {
		ids = append(ids, a.ID)
	}
	return ids
}
