package transcript

import (
	"strings"
	"testing"
)

// TestALineOfPieces: a line of many torn pieces is not read anew for each of them: it
// would take hours.
func TestALineOfPieces(t *testing.T) {
	src := `{"role":"user","content":"Pears"}` + "\n" + strings.Repeat("{x}", 1<<20) + "}\n" + `{"role":"assistant","content":"Plums"}` + "\n"
	rd, err := Read([]byte(src))
	if err != nil || len(rd.Messages) != 2 || rd.Unread == 0 {
		t.Errorf("%d messages, %d unreadable, %v", len(rd.Messages), rd.Unread, err)
	}
}

// TestSaidAgainAfterTakingBack: what was taken back and said anew under its old id
// stands once, as it was said last, whatever else was taken back meanwhile.
func TestSaidAgainAfterTakingBack(t *testing.T) {
	says := func(id, text string) string {
		return `{"id":"` + id + `","type":"user","timestamp":"2026-03-02T09:00:00Z","content":"` + text + `","sessionId":"s","projectHash":"h"}` + "\n"
	}
	src := says("a", "One") + says("b", "Two") + says("c", "Three") + `{"$rewindTo":"nobody"}` + "\n" + `{"$rewindTo":"b"}` + "\n" + says("c", "Three anew") + says("b", "Two anew")
	rd, err := ReadOf("gemini-cli", []byte(src))
	var got []string
	for _, m := range rd.Messages {
		got = append(got, m.Content)
	}
	if text := strings.Join(got, "; "); err != nil || text != "One; Three anew; Two anew" {
		t.Errorf("%q, %v", text, err)
	}
}
