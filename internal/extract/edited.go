package extract

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

var (
	// editVerb matches a verb of a statement that a file was written.
	editVerb = lazyregexp.New(`\b(?:implemented|added|fixed|created|updated|wrote|rewrote|edited|refactored|changed|modified|removed|moved|renamed|replaced|improved|documented|extended|introduced|patched|written|bumped|simplified|configured)\b`)
	// editedPath matches, before a path, words for a file that was written or is in work.
	editedPath = lazyregexp.New("(?:\\b(?:in|into|to|inside|within|at|of|on|file|files|and|the|edited|created|updated|changed|modified|wrote|rewrote|written|fixed|refactored|patched|bumped|simplified|implemented|added|fixing|editing|updating|writing|refactoring|creating|implementing)|,|[:+&(])[\\s`*_(]*$")
	// unchangedPath matches, before a path, words for a file that was only read or is gone.
	unchangedPath = lazyregexp.New("\\b(?:references? to|links? to|according to|similar to|compared to|related to|based on|in line with|deleted|removed|moved|renamed|read(?:ing)?|see|tests? (?:of|for))[\\s`*_(]*$")
)

// addEdits adds the paths of a statement of kind as, and sets the function.
func (w *workReader) addEdits(as workKind, text string) {
	w.addPaths(text, false)
	f := finder{custom: &lexicon{}, builtin: &lexicon{}, names: map[string]*nameList{}}
	f.addLine(line{text: text}, line{})
	list := f.names[Functions].all()
	if len(list) == 0 {
		return
	}
	if as == doing {
		w.Function = list[0]
	} else {
		w.lastFunction = list[0]
	}
}

// addPaths adds the paths in text: all of them, or those that the text says were
// written.
func (w *workReader) addPaths(text string, all bool) {
	low := strings.ToLower(text)
	edited := false
	chunks := splitChunks(text)
	for i := range chunks {
		c := &chunks[i]
		path, ok := c.file()
		if !ok {
			continue
		}
		before := ""
		if len(low) == len(text) {
			before = low[:c.start]
		}
		before = before[max(0, len(before)-40):]
		alone := before == "" || strings.HasPrefix(before, "the file ")
		enumerated := edited && (strings.HasSuffix(strings.TrimRight(before, " `*"), ",") || strings.HasSuffix(strings.TrimRight(before, " `*"), " and"))
		edited = all || alone || enumerated || editedPath.MatchString(before) && !unchangedPath.MatchString(before) && !isEnumerated(before)
		if edited && len(w.Edited) < maxNames && !slices.Contains(w.Edited, path) {
			w.Edited = append(w.Edited, strings.Clone(path))
		}
	}
}

// isEnumerated reports whether the text before a path ends with "and" or a comma, so
// that the words before these decide.
func isEnumerated(before string) bool {
	before = strings.TrimRight(before, " `*_(")
	return strings.HasSuffix(before, ",") || strings.HasSuffix(before, " and")
}
