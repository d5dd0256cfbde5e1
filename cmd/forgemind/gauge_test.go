package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestGauge(t *testing.T) {
	t.Parallel()
	marks := []float64{50, 70, 80, 90}
	for _, c := range []struct {
		g    gauge
		want string
	}{
		{gauge{percent: 0, marks: marks, cells: 20}, "··········|···|·|·|·"},
		{gauge{percent: 47, marks: marks, cells: 20}, "█████████▍|···|·|·|·"},
		{gauge{percent: 50, marks: marks, cells: 20}, "██████████|···|·|·|·"},
		{gauge{percent: 52, marks: marks, cells: 20}, "██████████▍···|·|·|·"},
		{gauge{percent: 100, marks: marks, cells: 20}, "████████████████████"},
		{gauge{percent: 240, marks: marks, cells: 20}, "████████████████████"},
		{gauge{percent: -5, cells: 4}, "····"},
		{gauge{percent: 30, marks: []float64{100, 250, -1}, cells: 4}, "█▏··"},
		{gauge{percent: 47, marks: marks, cells: 20, ascii: true}, "=========.|...|.|.|."},
		{gauge{percent: 99.9, cells: 4, ascii: true}, "===."},
	} {
		full, rest := c.g.bar()
		if full+rest != c.want {
			t.Errorf("%+v: %s%s, want %s", c.g, full, rest, c.want)
		}
	}
}

func TestGaugeIsAlwaysOfItsWidth(t *testing.T) {
	t.Parallel()
	for cells := 1; cells < 60; cells++ {
		for percent := -10.0; percent < 120; percent += 0.7 {
			for _, ascii := range []bool{false, true} {
				full, rest := gauge{percent: percent, marks: []float64{33, 66, 100}, cells: cells, ascii: ascii}.bar()
				if n := utf8.RuneCountInString(full + rest); n != cells {
					t.Fatalf("%v %% in %d cells: %d characters: %s%s", percent, cells, n, full, rest)
				}
			}
		}
	}
}

func TestTheLocaleSaysWhatATerminalShows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"LANG": "de_DE.UTF-8"}, false},
		{map[string]string{"LANG": "C.utf8"}, false},
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LANG": "de_DE.UTF-8", "LC_CTYPE": "C"}, true},
		{map[string]string{"LANG": "de_DE.UTF-8", "LC_CTYPE": "C", "LC_ALL": "en_US.UTF-8"}, false},
	} {
		p := testProgram(t)
		p.Getenv = func(name string) string { return c.env[name] }
		if got := p.asciiOnly(); got != c.want {
			t.Errorf("%v: %v, want %v", c.env, got, c.want)
		}
	}
}

func TestThousands(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 200000: "200,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := thousands(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	words := []string{"light 50", "medium 70", "aggressive 80"}
	for width, want := range map[int]string{
		80: "  light 50 · medium 70 · aggressive 80",
		25: "  light 50 · medium 70\n  aggressive 80",
		5:  "  light 50\n  medium 70\n  aggressive 80",
	} {
		if got := fill(words, " · ", "  ", width); got != want {
			t.Errorf("at %d:\n%s\nwant\n%s", width, got, want)
		}
	}
	if got := fill(nil, ", ", "  ", 80); strings.TrimSpace(got) != "" {
		t.Errorf("of nothing came %q", got)
	}
}
