package schema

import "strings"

// NearKnob is the spelling of a knob that name is most likely meant for, "" where
// none is like it.
func NearKnob(name string) string {
	name = strings.ToUpper(strings.TrimSpace(name))
	best, least := "", min(max(2, len(name)/3), 8)+1
	for _, k := range knobs {
		for _, spelling := range []string{k.Name, k.Also} {
			if spelling == "" || len(name) > 2*len(spelling) {
				continue
			}
			if n := changes(name, spelling); n < least {
				best, least = spelling, n
			}
		}
	}
	return best
}

// changes counts the letters to insert, remove or replace to turn a into b.
func changes(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
