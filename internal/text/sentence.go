package text

import "strings"

// Sentences returns the sentences of a line. A sentence ends with a period, a question
// mark or an exclamation mark before a space, or with the line.
func Sentences(line string) (all []string) {
	for line != "" {
		end := len(line)
		for i := 0; i+1 < len(line); i++ {
			if strings.IndexByte(".!?", line[i]) >= 0 && line[i+1] == ' ' {
				end = i + 1
				break
			}
		}
		all = append(all, line[:end])
		line = strings.TrimSpace(line[end:])
	}
	return all
}
