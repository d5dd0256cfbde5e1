package brief

import (
	"path"
	"slices"
	"strings"
)

// matches says whether a pattern is of at, or of a folder above it, or, where at is a
// folder, of something below it. ** stands for any folders; without a slash a pattern
// is of a name, wherever that stands.
func matches(pattern, at string, isFolder bool) string {
	want := strings.Split(pattern, "/")
	if len(want) == 1 && pattern != "**" {
		want = []string{"**", pattern}
	}
	var have []string
	if at != "." {
		have = strings.Split(at, "/")
	}
	below := false
	reached := make([]bool, len(have)+1) // by what of the pattern was looked at, how much of have
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
	switch {
	case slices.Contains(reached, true):
		return ByPattern
	case below && isFolder:
		return Below
	}
	return ""
}

// mostBraces bounds what one pattern with braces stands for.
const mostBraces = 64

// braces are the patterns that one with braces stands for: a/{b,c}/*.go is a/b/*.go
// and a/c/*.go.
func braces(pattern string) []string {
	all := []string{pattern}
	for i := 0; i < len(all) && len(all) < mostBraces; {
		open := strings.LastIndexByte(all[i], '{') // the innermost
		if open < 0 {
			i++
			continue
		}
		inner, behind, closed := strings.Cut(all[i][open+1:], "}")
		if !closed {
			i++
			continue
		}
		var each []string
		for one := range strings.SplitSeq(inner, ",") {
			each = append(each, all[i][:open]+one+behind)
		}
		all = slices.Replace(all, i, i+1, each...)
	}
	return all[:min(len(all), mostBraces)]
}
