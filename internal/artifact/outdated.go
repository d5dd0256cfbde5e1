package artifact

import (
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// FlagOutdated marks the artifacts whose files mention one of the superseded decisions as a whole
// word, and removes the mark from all others. An artifact whose file cannot be read keeps its mark.
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
			if isAboutFile(err) {
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

// namesAny reports whether text contains one of the ids as a whole word.
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
		// An id may contain characters that are also punctuation or markdown.
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
