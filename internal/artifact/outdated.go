package artifact

import (
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// FlagOutdated marks artifacts whose files name one of these superseded
// decisions, as a word of its own, and takes the mark from those that no longer
// do. Of one whose file cannot be read the mark stays as it is.
func FlagOutdated(tx *fs.Tx, superseded []string, e Edge) error {
	s, err := readRoster(tx)
	if err != nil {
		return err
	}
	gone := map[string]bool{}
	for _, id := range superseded {
		gone[id] = true
	}
	changed := false
	for i, a := range s.list {
		if a.Path == "" {
			continue
		}
		content, err := readText(tx, clean(a.Path))
		if err != nil {
			if unfit(err) {
				continue
			}
			return err
		}
		if outdated := namesAny(string(content), gone); outdated != a.Outdated {
			a.Outdated, changed = outdated, true
			if err := s.put(i, a); err != nil {
				return err
			}
		}
	}
	if changed {
		s.write(tx)
	}
	return nil
}

// namesAny says whether one of these ids stands in text as a word.
func namesAny(text string, ids map[string]bool) bool {
	if len(ids) == 0 {
		return false
	}
	for text != "" {
		start := strings.IndexFunc(text, idRune)
		if start < 0 {
			return false
		}
		text = text[start:]
		end := strings.IndexFunc(text, func(r rune) bool { return !idRune(r) })
		if end < 0 {
			end = len(text)
		}
		// Punctuation of a sentence, and what markdown puts around a word, may be
		// part of an id as well.
		if word := text[:end]; ids[word] || ids[strings.Trim(word, "._-")] {
			return true
		}
		text = text[end:]
	}
	return false
}

func idRune(r rune) bool {
	return letter(r) || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}
