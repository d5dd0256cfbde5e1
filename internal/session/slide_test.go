package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/internal/session"
)

// history is a conversation of messages that matter so many tenths; -1 is a
// message that does not say, -2 a line that is no message.
func history(tenths ...int) []session.Line {
	var text strings.Builder
	for i, n := range tenths {
		switch n {
		case -2:
			fmt.Fprintf(&text, "not a message %d\n", i)
		case -1:
			fmt.Fprintf(&text, `{"msg_id":"m-%d","content":"c"}`+"\n", i)
		default:
			fmt.Fprintf(&text, `{"msg_id":"m-%d","content":"c","importance":0.%d}`+"\n", i, n)
		}
	}
	return session.Read([]byte(text.String()))
}

func places(lines []session.Line) []int {
	at := []int{}
	for _, line := range lines {
		at = append(at, line.At)
	}
	return at
}

func TestTheLeastImportantLeavesFirst(t *testing.T) {
	twelve := []int{8, 4, 9, 9, 9, 9, 9, 9, 9, 9, 1, 1}
	for _, c := range []struct {
		what   string
		tenths []int
		most   int
		leave  []int
	}{
		{"room enough", twelve, 12, []int{}},
		{"the least important outside the last ten", twelve, 11, []int{1}},
		{"the last ten stay, whatever they matter", twelve, 5, []int{0, 1}},
		{"of equals the oldest", []int{5, 5, 5, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, 11, []int{0, 1}},
		{"one that does not say matters a half", []int{6, -1, 4, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, 11, []int{1, 2}},
		{"what leaves keeps its order", []int{3, 2, 1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, 10, []int{0, 1, 2}},
		{"other lines stay, and do not count", []int{-2, 3, 2, -2, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, -2}, 11, []int{2}},
		{"nothing", nil, 20, []int{}},
	} {
		lines := history(c.tenths...)
		_, leave := session.Slide(lines, c.most, nil)
		if got := places(leave); !slices.Equal(got, c.leave) {
			t.Errorf("%s: %v leave, not %v", c.what, got, c.leave)
		}
	}
}

// However much comes at once: no line is lost or doubled, the last ten stay, the
// order is kept, and what comes one by one leaves as what comes together.
func TestSlidingLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := history(rapid.SliceOfN(rapid.IntRange(-2, 9), 0, 60).Draw(t, "tenths")...)
		most := rapid.IntRange(0, 25).Draw(t, "most")
		stay, leave := session.Slide(lines, most, nil)
		both := append(places(stay), places(leave)...)
		slices.Sort(both)
		if !slices.Equal(both, places(lines)) {
			t.Fatalf("%v became %v", places(lines), both)
		}
		if !slices.IsSorted(places(stay)) || !slices.IsSorted(places(leave)) {
			t.Fatalf("out of order: %v, %v", places(stay), places(leave))
		}
		messages := func(lines []session.Line) []int {
			return places(slices.DeleteFunc(slices.Clone(lines), func(l session.Line) bool { return l.Err != nil }))
		}
		all, now := messages(lines), messages(stay)
		if len(now) > max(most, session.KeptMessages) || len(leave) > 0 && len(now) < most {
			t.Fatalf("%d of %d messages stay, at most %d should", len(now), len(all), most)
		}
		last := all[max(0, len(all)-session.KeptMessages):]
		if !slices.Equal(now[len(now)-len(last):], last) {
			t.Fatalf("the last were %v, now %v", last, now)
		}
		most = max(most, session.KeptMessages)
		var window []session.Line
		for _, line := range lines {
			window, _ = session.Slide(append(window, line), most, nil)
		}
		if stay, _ := session.Slide(lines, most, nil); !slices.Equal(places(window), places(stay)) {
			t.Fatalf("one by one %v, together %v", places(window), places(stay))
		}
	})
}
