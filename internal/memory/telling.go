package memory

import "slices"

// Telling returns the titles of the sections of a note with an entry about id, in order.
func Telling(src []byte, id string) ([]string, error) {
	n, err := parse(src)
	if err != nil {
		return nil, err
	}
	var titles []string
	for _, s := range n.sections {
		if slices.ContainsFunc(s.items, func(i item) bool { return names(words(n.text(i)), id) }) && s.title != "" {
			titles = append(titles, s.title)
		}
	}
	return titles, nil
}
