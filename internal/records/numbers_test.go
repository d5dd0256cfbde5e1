package records

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// A set of numbers holds what was added, and nothing else.
func TestNumbers(t *testing.T) {
	const most = 300
	rapid.Check(t, func(t *rapid.T) {
		sets, want := make([]numbers, 3), make([]map[int]bool, 3)
		for i := range want {
			want[i] = map[int]bool{}
		}
		set := rapid.IntRange(0, len(sets)-1)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			at := set.Draw(t, "set")
			switch rapid.IntRange(0, 2).Draw(t, "step") {
			case 0:
				n := rapid.IntRange(0, most-1).Draw(t, "number")
				sets[at].add(n)
				want[at][n] = true
			case 1:
				from := rapid.IntRange(0, most-1).Draw(t, "first")
				for n := range rapid.IntRange(0, most-from).Draw(t, "how many") {
					sets[at].add(from + n)
					want[at][from+n] = true
				}
			case 2:
				other := set.Draw(t, "other")
				sets[at].addAll(&sets[other])
				for n := range want[other] {
					want[at][n] = true
				}
			}
		}
		for i := range sets {
			for n := range most {
				if sets[i].has(n) != want[i][n] {
					t.Fatalf("set %d: %d is %v in %v", i, n, sets[i].has(n), want[i])
				}
			}
		}
	})
}

// What a fold remembers of the order grows with the changes, not with their square: in a
// line, where none saw another, and where two lines meet again and again.
func TestAncestorsOfManyChanges(t *testing.T) {
	const many = 100_000
	after := map[string]func(i int) []string{
		"a line": func(i int) []string { return []string{fmt.Sprint(i - 1)} },
		"none":   func(int) []string { return nil },
		"two lines": func(i int) []string {
			if i%100 < 2 {
				return []string{fmt.Sprint(i - 1), fmt.Sprint(i - 2)}
			}
			return []string{fmt.Sprint(i - 2)}
		},
	}
	for name, after := range after {
		order := make([]Change, many)
		for i := range order {
			order[i] = Change{ID: fmt.Sprint(i), After: after(i)}
		}
		words := 0
		for _, saw := range ancestors(order) {
			words += len(saw.bits)
		}
		if words > 10*many {
			t.Errorf("%s: %d words for %d changes", name, words, many)
		}
	}
}
