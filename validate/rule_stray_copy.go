package validate

import (
	"bytes"
	"iter"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

var strayCopy = Rule{
	Name:     "stray-copy",
	Severity: Warning,
	Summary:  "A copy of a file beside it that says something else.",
	Help: `A program that synchronizes folders, a file manager or a merge tool left a copy of a file
beside it, such as "DEC-7F3K2Q 2.json", "DEC-7F3K2Q.sync-conflict-20260301-101500.json" or
"Notes (Ann's conflicted copy).md", and the two differ.

Only the file itself is read: what somebody wrote into the copy is shown nowhere. A copy
that says the same is passed over, and so are backups and locks of editors.

Wrong:

    decisions/DEC-7F3K2Q.json    { "decision": "Prune in March", … }
    decisions/DEC-7F3K2Q 2.json  { "decision": "Prune in April", … }

Right: the first alone, and a decision that supersedes it if April holds.

To mend it, bring what the copy has more into the file, or record it by command, and
remove the copy.
`,
}

// A copied is a file that is a copy of another one.
type copied struct{ name, of string }

// copiesIn returns the copies of documents that r has, and takes them out of names where
// they are among them.
func copiesIn(r fs.Reader, names *[]string) (all []copied) {
	if tree, ok := r.(interface {
		Copies() iter.Seq2[string, string]
	}); ok {
		for name, of := range tree.Copies() {
			all = append(all, copied{name, of})
		}
		return all
	}
	list := *names
	*names = slices.DeleteFunc(slices.Clone(list), func(name string) bool {
		dir, base := path.Split(name)
		of, aside := fs.Aside(base)
		switch _, there := slices.BinarySearch(list, dir+of); {
		case !aside:
			return false
		case of != "" && there:
			all = append(all, copied{name, dir + of})
			return true
		}
		return of == ""
	})
	return all
}

// strayCopies reports copies of documents that differ from them.
func strayCopies(r fs.Reader, copies []copied, severity severities) (out []Finding) {
	s := severity[ruleIndex(strayCopy.Name)]
	if s == Off {
		return nil
	}
	for _, c := range copies {
		if !Judges(c.name) {
			continue
		}
		src, err := r.Read(c.name)
		original, unread := r.Read(c.of)
		if err != nil || unread != nil || bytes.Equal(src, original) {
			continue
		}
		out = append(out, Finding{
			File: c.name, Line: 1, Column: 1, Column16: 1, Rule: strayCopy.Name, Severity: s,
			Message: "a copy of " + plainFile(path.Base(c.of)) + " that says something else; it is not read",
			Hint:    "bring what it has more into " + plainFile(path.Base(c.of)) + ", or record it, and remove the copy",
		})
	}
	return out
}
