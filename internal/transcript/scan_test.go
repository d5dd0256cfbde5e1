package transcript

import (
	"strings"
	"testing"
)

// TestALineOfPieces: a line of many torn pieces is not read anew for each of them: it
// would take hours.
func TestALineOfPieces(t *testing.T) {
	src := `{"role":"user","content":"Pears"}` + "\n" + strings.Repeat("{x}", 1<<20) + "}\n" + `{"role":"assistant","content":"Plums"}` + "\n"
	im, err := Read([]byte(src))
	if err != nil || len(im.Messages) != 2 || im.Unread == 0 {
		t.Errorf("%d messages, %d unreadable, %v", len(im.Messages), im.Unread, err)
	}
}

// TestSaidAgainAfterTakingBack: a message that was taken back and sent again under its old id
// is there once, in its last version, whatever else was taken back meanwhile.
func TestSaidAgainAfterTakingBack(t *testing.T) {
	says := func(id, text string) string {
		return `{"id":"` + id + `","type":"user","timestamp":"2026-03-02T09:00:00Z","content":"` + text + `","sessionId":"s","projectHash":"h"}` + "\n"
	}
	src := says("a", "One") + says("b", "Two") + says("c", "Three") + `{"$rewindTo":"nobody"}` + "\n" + `{"$rewindTo":"b"}` + "\n" + says("c", "Three anew") + says("b", "Two anew")
	im, err := ReadAs("gemini-cli", []byte(src))
	var got []string
	for _, m := range im.Messages {
		got = append(got, m.Content)
	}
	if text := strings.Join(got, "; "); err != nil || text != "One; Three anew; Two anew" {
		t.Errorf("%q, %v", text, err)
	}
}
