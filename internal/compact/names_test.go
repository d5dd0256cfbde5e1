package compact

import (
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

func TestEachName(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "",
		"We go on. It works, e.g. in 1.5 s":    "",
		"see cmd/shop/tax.go:296 and ./tax.go": "shop/tax.go tax.go",
		"/home/ann/shop/tax.go is shop/tax.go": "shop/tax.go shop/tax.go",
		"https://example.org/docs/a.md":        "",
		"parseRate calls tax.RoundUp and max_rate of GitHub":      "parseRate RoundUp max_rate GitHub",
		`Edit {"file_path":"a.go","old_text":"\tparseRate(x)\n"}`: "a.go parseRate",
		"toolu_01Ts8Yx29Q, 2b8f_11, MAX_RATE, _x, __init__":       "__init__",
	} {
		var got []string
		eachName(text, func(name string, _ bool) { got = append(got, name) })
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s:\n%s, want\n%s", text, got, want)
		}
	}
}

// What an agent read and ran leaves its names in the summary, also after another
// compaction; a talk without tools has no such part.
func TestNamesOfWhatLeft(t *testing.T) {
	var s scene
	s.boss("Please make the tax round up")
	m := s.agent(`Bash {"command":"go test ./tax -run Rounding"}` + filler(3000))
	m.ToolName = "Bash"
	s.tool("Bash", "rates/table.go:12: Error: rateTable is empty\n"+filler(1000))
	s.tool("Read", "func loadRates() {}\n"+filler(3000))
	for range 6 {
		s.agent("On it. " + filler(12))
	}
	p := fitted(s, 1200, "")
	want := []string{
		"## Files mentioned\n\n- rates/table.go", "## Names in the code\n\n- loadRates, rateTable",
		"## Commands run\n\n- go test ./tax -run Rounding", "## Errors seen\n\n- rates/table.go:12: Error: rateTable is empty",
	}
	mustContain(t, p.Summary, want...)
	after := scene(carriedOut(s, p))
	after.tool("Read", "func saveRates() {}\n"+filler(3000))
	for range 6 {
		after.agent("Still on it. " + filler(12))
	}
	again := fitted(after, 1200, "")
	mustContain(t, again.Summary, append(want[:1:1], "saveRates", "loadRates", want[2], want[3])...)

	quiet := slices.DeleteFunc(slices.Clone(s), func(m schema.Message) bool { return m.ToolName != "" || m.Role == "tool" })
	quiet.boss("loadRates of rates/table.go " + filler(3000))
	if p := fitted(quiet, 100, ""); strings.Contains(p.Summary, mentionedTitle) || strings.Contains(p.Summary, identifiersTitle) {
		t.Errorf("names without tools:\n%s", p.Summary)
	}
}
