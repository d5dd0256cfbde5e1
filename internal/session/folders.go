package session

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Copies returns the folders of r, in order, that are no sessions: each is a copy of
// another one's folder, under a longer name and with the other's id in its metadata.
func Copies(r fs.Reader) ([]string, error) {
	_, copies, err := folders(r, func(string, string) bool { return true })
	return copies, err
}

// folders returns the ids of the sessions that have a document which counts, in order, and
// the folders that are copies of another session's; see Copies.
func folders(r fs.Reader, counts func(name, id string) bool) (ids, copies []string, err error) {
	for name, err := range r.Names(fs.Sessions) {
		if err != nil {
			return nil, nil, err
		}
		if id, ok := documentOf(name); ok && counts(name, id) && (len(ids) == 0 || ids[len(ids)-1] != id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	all := ids
	ids = slices.DeleteFunc(slices.Clone(all), func(id string) bool {
		copied := isCopy(r, id, all)
		if copied {
			copies = append(copies, id)
		}
		return copied
	})
	return ids, copies, nil
}

// isCopy reports whether the folder id is a copy of that of another session among ids,
// which are in order.
func isCopy(r fs.Reader, id string, ids []string) bool {
	for end := len(id) - 1; end > 0; end-- {
		of := id[:end]
		if strings.IndexByte("-_. ", id[end]) < 0 {
			continue
		}
		if _, stands := slices.BinarySearch(ids, of); !stands {
			continue
		}
		var about struct {
			ID string `json:"session_id"`
		}
		src, err := r.Read(MetadataFile(id))
		return err == nil && jsonedit.Decode(src, &about) == nil && about.ID == of
	}
	return false
}
