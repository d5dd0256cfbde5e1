package assemble

import "strings"

// summaryOf returns the summary, cut after the lines that take at most most tokens.
func summaryOf(in Input, most int, count func(string) int) section {
	return summaryFrom(in, 0, most, count)
}

// summaryFrom returns the summary from a line on, cut after the lines that take at most most
// tokens.
func summaryFrom(in Input, from, most int, count func(string) int) section {
	text := strings.TrimSpace(in.Summary)
	if text == "" {
		return section{}
	}
	all := strings.Split(lineFeeds.Replace(text), "\n")[from:]
	title := "Summary"
	if from > 0 {
		title = "Summary, continued"
	}
	made := func(n int) string {
		for n > 0 && (strings.TrimSpace(all[n-1]) == "" || strings.HasPrefix(all[n-1], "#")) {
			n-- // drop a heading without text
		}
		if n == 0 {
			return ""
		}
		return heading(title, label(in.Files.Summary), dateOf(in.Hot.SessionStarted)) + fenced(strings.Join(all[:n], "\n")+"\n")
	}
	s := section{Part: Part{Name: Summary}}
	low, high := 0, len(all) // low lines fit; one more than high does not
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
