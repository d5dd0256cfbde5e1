package extract

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

var (
	// writes are verbs after which a path was written.
	writes = lazyregexp.New(`\b(?:implemented|added|fixed|created|updated|wrote|rewrote|edited|refactored|changed|modified|removed|moved|renamed|replaced|improved|documented|extended|introduced|patched|written|bumped|simplified|configured)\b`)
	// leading, before a path, says that it was written or is worked on.
	leading = lazyregexp.New("(?:\\b(?:in|into|to|inside|within|at|of|on|file|files|and|the|edited|created|updated|changed|modified|wrote|rewrote|written|fixed|refactored|patched|bumped|simplified|implemented|added|fixing|editing|updating|writing|refactoring|creating|implementing)|,|[:+&(])[\\s`*_(]*$")
	// away, before a path, says that it was only read or is gone.
	away = lazyregexp.New("\\b(?:references? to|links? to|according to|similar to|compared to|related to|based on|in line with|deleted|removed|moved|renamed|read(?:ing)?|see|tests? (?:of|for))[\\s`*_(]*$")
)

// touch takes the paths that a statement says are worked on, and the function.
func (w *worker) touch(as sort, text string) {
	w.paths(text, false)
	f := finder{own: &lexicon{}, builtin: &lexicon{}, names: map[string]*names{}}
	f.line(line{text: text}, line{})
	list := f.names[Functions].all()
	if len(list) == 0 {
		return
	}
	if as == doing {
		w.Function = list[0]
	} else {
		w.edited = list[0]
	}
}

// paths takes the paths in text: all of them, or those of which it says that
// they were written.
func (w *worker) paths(text string, all bool) {
	low := strings.ToLower(text)
	follows := false
	chunks := chunksOf(text)
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
		enumerated := follows && (strings.HasSuffix(strings.TrimRight(before, " `*"), ",") || strings.HasSuffix(strings.TrimRight(before, " `*"), " and"))
		follows = all || alone || enumerated || leading.MatchString(before) && !away.MatchString(before) && !bare(before)
		if follows && len(w.Edited) < mostNames && !slices.Contains(w.Edited, path) {
			w.Edited = append(w.Edited, strings.Clone(path))
		}
	}
}

// bare says whether only "and" or a comma leads to a path: what is before those
// says more.
func bare(before string) bool {
	before = strings.TrimRight(before, " `*_(")
	return strings.HasSuffix(before, ",") || strings.HasSuffix(before, " and")
}
