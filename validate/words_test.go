package validate

import (
	"strings"
	"testing"
)

func TestNumbersAreGroupedAsTheDocumentsGroupThem(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 999: "999", 1000: "1,000", 70000: "70,000", -1234567.5: "-1,234,567.5", 1e30: "1e+30",
	} {
		if got := grouped(v); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}

func TestPointersAreShownAsPeopleWriteThem(t *testing.T) {
	for pointer, want := range map[string]string{
		"":                      "the document",
		"/role/mode":            "role.mode",
		"/loaded_artifacts/0/a": "loaded_artifacts[0].a",
		"/0/1":                  "[0][1]",
		"/a~1b/c~0d":            `"a/b"."c~d"`,
		"/\x1b[2J":              `"\x1b[2J"`,
	} {
		if got := dotted(pointer); got != want {
			t.Errorf("%q is shown as %s, want %s", pointer, got, want)
		}
	}
}

func TestLongListsOfIDsAreCut(t *testing.T) {
	ids := strings.Split(strings.Repeat("DEC-1 ", 23), " ")[:23]
	if got := plainList(ids); strings.Count(got, "DEC-1") != 20 || !strings.HasSuffix(got, " and 3 more") {
		t.Error(got)
	}
	if got := plainList([]string{"DEC-1", "a b"}); got != `DEC-1, "a b"` {
		t.Error(got)
	}
}
