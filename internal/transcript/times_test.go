package transcript_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// Whatever a transcript says of the time of a message, the message is there, and is
// listed where it stands in the file. A time that is understood is used.
func TestAMessageKeepsItsPlaceWhateverItsTime(t *testing.T) {
	for _, c := range []struct {
		what, lines string // of a message: how it states its time
		want        string // the times of the messages
		untimed     int
	}{
		{"dates and seconds between times", `"2024-03-14T09:00:00Z" "2024-03-15" "March-15-2024" 1710500000 "1710500001" 1710500002000 - "2024-03-16T09:00:00Z"`,
			"2024-03-14T09:00:00Z 2024-03-15T00:00:00.000Z 2024-03-15T00:00:00.000Z 2024-03-15T10:53:20.000Z 2024-03-15T10:53:21.000Z 2024-03-15T10:53:22.000Z 2024-03-15T10:53:22.000Z 2024-03-16T09:00:00Z", 2},
		{"the first have none", `- "yesterday" "2024-03-14T09:00:00Z"`, "2024-03-14T09:00:00Z 2024-03-14T09:00:00Z 2024-03-14T09:00:00Z", 2},
		{"times that contradict the order", `"2026-01-01T09:00:00Z" 1710500000 "2024-03-15" "2026-01-01T10:00:00Z" 1910500000 "2026-01-01T11:00:00Z"`,
			"2026-01-01T09:00:00Z 2026-01-01T09:00:00Z 2026-01-01T09:00:00Z 2026-01-01T10:00:00Z 2026-01-01T10:00:00Z 2026-01-01T11:00:00Z", 0},
		{"a date on the day of the message before", `"2026-01-01T09:00:00Z" "2026-01-01" "2026-01-01T10:00:00Z"`, "2026-01-01T09:00:00Z 2026-01-01T09:00:00Z 2026-01-01T10:00:00Z", 0},
		{"none at all", `- - -`, "  ", 0},
		{"none that can be read", `"soon" "later"`, " ", 2},
		{"seconds alone, out of order", `1710500002 1710500001`, "2024-03-15T10:53:22.000Z 2024-03-15T10:53:21.000Z", 0},
	} {
		for _, shape := range []string{`{"agent":"user","content":"TEXT"TIME}`, `{"role":"user","content":"TEXT"TIME}`} {
			var lines []string
			stated := strings.Fields(c.lines)
			for i, value := range stated {
				time := `,"timestamp":` + value
				if value == "-" {
					time = ""
				}
				lines = append(lines, strings.NewReplacer("TEXT", strings.Repeat("x", i+1), "TIME", time).Replace(shape))
			}
			rd, err := transcript.Read([]byte(strings.Join(lines, "\n")))
			if err != nil || len(rd.Faults) > 0 || len(rd.Messages) != len(stated) {
				t.Fatalf("%s: %v, %v, %d messages", c.what, err, rd.Faults, len(rd.Messages))
			}
			var times []string
			for i, m := range rd.Messages {
				times = append(times, m.Timestamp)
				if len(m.Content) != i+1 {
					t.Errorf("%s: message %d is %q", c.what, i, m.Content)
				}
			}
			if got := strings.Join(times, " "); got != c.want || rd.Untimed != c.untimed {
				t.Errorf("%s:\n got %d %s\nwant %d %s", c.what, rd.Untimed, got, c.untimed, c.want)
			}
			if strings.Contains(c.what, "alone") {
				continue
			}
			ordered := append([]schema.Message{}, rd.Messages...)
			session.InOrder(ordered)
			for i, m := range ordered {
				if m.ID != rd.Messages[i].ID {
					t.Errorf("%s: message %d is listed elsewhere", c.what, i)
				}
			}
		}
	}
}

// What a message states of its time stays in its metadata where it is not used.
func TestAStatedTimeStays(t *testing.T) {
	rd, err := transcript.Read([]byte(`{"agent":"user","content":"a","timestamp":"March-15-2024"}`))
	if err != nil || len(rd.Messages) != 1 || rd.Untimed != 1 || !strings.Contains(string(rd.Messages[0].Metadata), `"stated_time": "March-15-2024"`) {
		t.Errorf("%v, %+v", err, rd.Messages)
	}
}
