package artifact

import (
	"errors"
	iofs "io/fs"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// clarificationNames returns the names of the files with clarifications: the JSONL files of former
// trees, then one file for each answer.
func clarificationNames(r fs.Reader) []string {
	var files, records []string
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		files = append(files, home+"/"+fs.ClarificationsFile)
		for name, err := range r.Names(home + "/" + fs.ClarificationsDir) {
			if err == nil && fs.Place(name) == fs.DocClarification {
				records = append(records, name)
			}
		}
	}
	return append(files, records...)
}

// readClarifications returns the clarifications sorted by time, those without a time first, and the
// number of those that could not be read.
func readClarifications(r fs.Reader) (all []schema.Clarification, alien int, err error) {
	add := func(text []byte) {
		var c schema.Clarification
		if jsonedit.Decode(text, &c) != nil || c.Question == "" {
			alien++
			return
		}
		all = append(all, c)
	}
	for _, name := range clarificationNames(r) {
		src, err := r.Read(name)
		switch {
		case errors.Is(err, iofs.ErrNotExist):
		case err != nil && isAboutFile(err) && path.Ext(name) == ".json":
			alien++
		case err != nil:
			return nil, 0, err
		case path.Ext(name) == ".json":
			add(src)
		default:
			for l := range jsonedit.Lines(src) {
				add(l.Text)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b schema.Clarification) int { return strings.Compare(a.AnsweredAt, b.AnsweredAt) })
	return all, alien, nil
}
