package state_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

func TestTheViewHoldsTenAndLosesOnlyWhatIsRecorded(t *testing.T) {
	all := func(string) bool { return true }
	src := []byte(`{"recent_decisions": []}`)
	for n := 1; n <= 12; n++ {
		src = show(t, src, fmt.Sprintf("DEC-%02d", n), n, all)
	}
	if got := view(src); got != "03 04 05 06 07 08 09 10 11 12" {
		t.Errorf("got %s", got)
	}
	if again := show(t, src, "DEC-05", 5, all); string(again) != string(src) {
		t.Errorf("shown already, yet changed:\n%s", again)
	}

	// Those that the Ledger lacks stay, and the next oldest goes for them.
	src = []byte(`{"recent_decisions": []}`)
	for n := 1; n <= 12; n++ {
		src = show(t, src, fmt.Sprintf("DEC-%02d", n), n, func(id string) bool { return id != "DEC-01" && id != "DEC-03" })
	}
	if got := view(src); got != "01 03 05 06 07 08 09 10 11 12" {
		t.Errorf("got %s", got)
	}
	src = []byte(`{"recent_decisions": []}`)
	for n := 1; n <= 12; n++ {
		src = show(t, src, fmt.Sprintf("DEC-%02d", n), n, func(string) bool { return false })
	}
	if got := view(src); got != "01 02 03 04 05 06 07 08 09 10 11 12" {
		t.Errorf("got %s", got)
	}
}

func TestTheOldestByTimeLeavesWhereverItStands(t *testing.T) {
	src := []byte(`{"recent_decisions": []}`)
	for _, n := range []int{5, 4, 3, 2, 1, 6, 7, 8, 9, 10, 11} {
		src = show(t, src, fmt.Sprintf("DEC-%02d", n), n, func(string) bool { return true })
	}
	if got := view(src); got != "05 04 03 02 06 07 08 09 10 11" {
		t.Errorf("got %s", got)
	}
}

func TestTheViewBegins(t *testing.T) {
	got := show(t, []byte("{\n  \"version\": \"1.0\"\n}\n"), "DEC-01", 1, nil)
	if view(got) != "01" || !strings.HasPrefix(string(got), "{\n  \"version\": \"1.0\",\n  \"recent_decisions\": [\n") {
		t.Errorf("got %s", got)
	}
}

func TestShownGivesEntriesAsTheyStand(t *testing.T) {
	raws, err := state.ShownDecisions([]byte(`{"recent_decisions": [{"id": "A" , "x": 1.50}, 7]}`))
	if err != nil || len(raws) != 2 || string(raws[0]) != `{"id": "A" , "x": 1.50}` || string(raws[1]) != "7" {
		t.Errorf("%q, %v", raws, err)
	}
	for _, src := range []string{`{}`, `{"recent_decisions": {}}`} {
		if raws, err := state.ShownDecisions([]byte(src)); err != nil || len(raws) > 0 {
			t.Errorf("%s: %q, %v", src, raws, err)
		}
	}
}

// show shows a decision of minute n.
func show(t *testing.T, src []byte, id string, n int, recorded func(string) bool) []byte {
	t.Helper()
	d := schema.Decision{ID: id, Decision: "Use pears", Timestamp: fmt.Sprintf("2026-03-02T09:%02d:00Z", n)}
	out, err := state.ShowDecision(src, d, recorded)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// view lists the numbers of the decisions in a State's view.
func view(src []byte) string {
	var ids []string
	for _, m := range regexp.MustCompile(`"DEC-(\d+)"`).FindAllSubmatch(src, -1) {
		ids = append(ids, string(m[1]))
	}
	return strings.Join(ids, " ")
}
