package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/session"
)

// A message is elsewhere if its id is a message's in another session: not one
// that stands here, nor one that is only spoken of. However many are asked
// about, the answers are the same.
func TestElsewhere(t *testing.T) {
	tree := planted(t, map[string]string{
		session.Window("conv-1"):      `{"msg_id":"here","content":"a"}` + "\n",
		session.Window("conv-2"):      `{"msg_id":"window","content":"of \"spoken\" and \"quoted\""}` + "\n" + `{"id":"torn","con`,
		session.ArchiveFile("conv-2"): `{"id":"archive","content":"b","metadata":{"about":"spoken"}}` + "\n",
	})
	for _, before := range []int{0, 1000} {
		elsewhere, err := session.Elsewhere(tree, "conv-1")
		if err != nil {
			t.Fatal(err)
		}
		for n := range before {
			if id := fmt.Sprint("nobody-", n); elsewhere(id) {
				t.Errorf("%s is elsewhere", id)
			}
		}
		for id, want := range map[string]bool{"window": true, "archive": true, "here": false, "spoken": false, "quoted": false, "torn": false} {
			if elsewhere(id) != want {
				t.Errorf("after %d others, %s is elsewhere: %v", before, id, !want)
			}
		}
	}
}

// What stands for other messages is not counted; who speaks twice is named once.
func TestTold(t *testing.T) {
	window := `{"msg_id":"m-3","agent":"user","content":"c"}` + "\n" + `{"msg_id":"m-4","content":"d"}` + "\n" + `{"msg_id":"m-5"` + "\n"
	archive := strings.Join([]string{
		`{"msg_id":"m-1","agent":"quaid","content":"a"}`, `{"msg_id":"m-2","agent":"quaid","content":"b","kind":"summary"}`,
		`{"msg_id":"s-1","agent":"forgemind","kind":"summary","content":"both","metadata":{"cluster":{"members":["m-1","m-2"]}}}`,
		`{"msg_id":"s-2","agent":"forgemind","kind":"summary","content":"all","metadata":{"compaction":{"id":"cmp-1"}}}`,
	}, "\n")
	if n, agents := session.Told([]byte(window), []byte(archive)); n != 4 || !slices.Equal(agents, []string{"quaid", "user"}) {
		t.Errorf("%d messages of %v", n, agents)
	}
}
