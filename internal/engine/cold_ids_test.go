package engine

import (
	"fmt"
	"strings"
	"testing"
)

// An id is known wherever it stands in cold storage, however it is written, and whether few or
// many are asked for; a text that only names it is none.
func TestColdIDs(t *testing.T) {
	chunk := func(n int, message string) string {
		return fmt.Sprintf(`{"chunk_id":"chunk-%d","message":%q,"content":"x"}`, n, message) + "\n"
	}
	text := chunk(1, `{"id":"msg-a","role":"user","content":"It names msg-c."}`) + "torn {\n" +
		strings.Replace(chunk(2, `{"id":"msg-b","role":"user","content":"x"}`), "msg-b", `msg-\u0062`, 1) +
		`{"chunk_id":"chunk-3","message":{"id":"msg-d","role":"user","content":"x"},"content":"x"}` + "\n"
	ids := &coldIDs{texts: [][]byte{nil, []byte(text)}}
	for range 2 * fewAsked {
		for id, want := range map[string]bool{"msg-a": true, "msg-b": true, "msg-c": false, "msg-d": true, "msg": false, "": false} {
			if got := ids.has(id); got != want {
				t.Fatalf("%q after %d: %v", id, ids.asked, got)
			}
		}
	}
}
