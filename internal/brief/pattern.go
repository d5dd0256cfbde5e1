package brief

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
)

// matches returns ByPattern if a pattern matches at, or a folder above it, and Below if at is a
// folder and the pattern matches a file below it. See text.MatchPath.
func matches(pattern, at string, isFolder bool) string {
	switch matched, below := text.MatchPath(pattern, at); {
	case matched:
		return ByPattern
	case below && isFolder:
		return Below
	}
	return ""
}

// mostBraces limits the number of patterns that one pattern with braces expands to.
const mostBraces = 64

// braces expands a pattern with braces: a/{b,c}/*.go becomes a/b/*.go and a/c/*.go.
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
