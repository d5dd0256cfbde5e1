package text

import (
	"path"
	"slices"
	"strings"
)

// MatchPath reports whether pattern matches the slash path name or a folder above it,
// and whether it can match a file below name. Its elements are patterns of path.Match;
// ** stands for any folders. A pattern without a slash matches a name in any folder. The
// name "." is the top folder.
func MatchPath(pattern, name string) (matched, below bool) {
	want := strings.Split(pattern, "/")
	if len(want) == 1 && pattern != "**" {
		want = []string{"**", pattern}
	}
	var have []string
	if name != "." {
		have = strings.Split(name, "/")
	}
	reached := make([]bool, len(have)+1) // how much of have the elements so far match
	reached[0] = true
	for _, w := range want {
		below = below || reached[len(have)]
		next := make([]bool, len(have)+1)
		for i, ok := range reached {
			switch {
			case !ok:
			case w == "**":
				for j := i; j < len(next); j++ {
					next[j] = true
				}
			case i < len(have):
				fits, err := path.Match(w, have[i])
				next[i+1] = next[i+1] || fits && err == nil
			}
		}
		reached = next
	}
	return slices.Contains(reached, true), below
}
