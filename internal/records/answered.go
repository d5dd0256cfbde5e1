package records

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// An answer is a file of its own, <question>-<id>.json in the folder of clarifications. It closes
// its question; no change of the question is written.

// answered returns the ids of the questions that have an answer in the home of the folder.
func (f Folder) answered(r fs.Reader) map[string]bool {
	if f.Kind.Name != Question.Name {
		return nil
	}
	ids := map[string]bool{}
	for name, err := range r.Names(path.Dir(f.Dir) + "/" + fs.ClarificationsDir) {
		stem, ok := strings.CutSuffix(path.Base(name), ".json")
		if err != nil || !ok {
			continue
		}
		ids[unescape(stem)] = true // other programs may name the file so
		if at := strings.LastIndexByte(stem, '-'); at > 0 {
			ids[unescape(stem[:at])] = true
		}
	}
	return ids
}

// close marks a question as answered if an answer to it exists.
func (r Record) close(answered bool) Record {
	if answered && r.InForce() {
		r.set("status", Answered)
	}
	return r
}
