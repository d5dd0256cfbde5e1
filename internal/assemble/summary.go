package assemble

import "strings"

// summaryOf is the summary, of which the first lines take at most so many
// tokens.
func summaryOf(in Input, most int, count func(string) int) section {
	text := strings.TrimSpace(in.Summary)
	if text == "" {
		return section{}
	}
	all := strings.Split(lineFeeds.Replace(text), "\n")
	made := func(n int) string {
		for n > 0 && (strings.TrimSpace(all[n-1]) == "" || strings.HasPrefix(all[n-1], "#")) {
			n-- // a heading over nothing
		}
		if n == 0 {
			return ""
		}
		return heading("Summary", label(in.Files.Summary), dateOf(in.Hot.SessionStarted)) + fenced(strings.Join(all[:n], "\n")+"\n")
	}
	s := section{Part: Part{Name: Summary}}
	low, high := 0, len(all) // so many lines fit; one more than these do not
	for low < high {
		n := (low + high + 1) / 2
		if count(made(n)) <= most {
			low = n
		} else {
			high = n - 1
		}
	}
	s.text = made(low)
	s.Items, s.Left = low, len(all)-low
	s.Tokens = count(s.text)
	return s
}
