package validate

import (
	"bytes"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

var strayCopy = Rule{
	Name:     "stray-copy",
	Severity: Warning,
	Summary:  "A copy of a file beside it that says something else.",
	Help: `A program that synchronizes folders, or a file manager, left a copy of a file beside it,
such as "DEC-7F3K2Q 2.json", "DEC-7F3K2Q.sync-conflict-20260301-101500.json" or
"Notes (Ann's conflicted copy).md", and the two differ.

Only the file itself is read: what somebody wrote into the copy is shown nowhere. A copy
that says the same is passed over, and so are backups and locks of editors. Where a whole
folder was copied, as a session is in "conv-2026-03-01-001 2", that goes for each file of it.

Wrong:

    decisions/DEC-7F3K2Q.json    { "decision": "Prune in March", … }
    decisions/DEC-7F3K2Q 2.json  { "decision": "Prune in April", … }

Right: the first alone, and a decision that supersedes it if April holds.

To mend it, bring what the copy has more into the file, or record it by command, and
remove the copy.
`,
}

// A copyOf is a file that is a copy of another one.
type copyOf struct{ name, of string }

// documents lists the names of r below dir without those that readers pass over, and the
// copies among these. Errors come with their names; see fs.Reader.
func documents(r fs.Reader, dir string) (names []listedName, copies []copyOf) {
	if tree, ok := r.(interface{ Everything() fs.Reader }); ok {
		r = tree.Everything()
	}
	stands := map[string]bool{}
	for name, err := range r.Names(dir) {
		names = append(names, listedName{name, err})
		for ; !stands[name]; name = path.Dir(name) {
			stands[name] = true
		}
	}
	there := func(name string) bool { return stands[name] }
	return slices.DeleteFunc(names, func(n listedName) bool {
		over := n.err == nil && fs.PassedOver(n.name, there)
		if of, _ := fs.Aside(n.name); over && of != "" {
			copies = append(copies, copyOf{n.name, of})
		}
		return over
	}), copies
}

// A listedName is the name of a file, or of a folder with the error of listing it.
type listedName struct {
	name string
	err  error
}

// isCopy reports whether name is that of a copy of a file, or of a folder, that stands in r.
func isCopy(r fs.Reader, name string) (of string, is bool) {
	of, _ = fs.Aside(name)
	return of, of != "" && fs.PassedOver(name, func(of string) bool {
		for range r.Names(of) {
			return true
		}
		return false
	})
}

// strayCopies reports copies of documents that differ from them, and secrets in them.
func strayCopies(r fs.Reader, copies []copyOf, severity severities) (out []Finding) {
	secrets := make(severities, len(rules))
	for i := range secrets {
		secrets[i] = Off
	}
	secrets[ruleIndex(secretRule.Name)] = severity[ruleIndex(secretRule.Name)]
	j, s := newJudge(secrets), severity[ruleIndex(strayCopy.Name)]
	for _, c := range copies {
		src, err := r.Read(c.name)
		if err != nil || !Judges(c.of) {
			continue
		}
		out = append(out, j.one(c.name, fs.Place(c.of), false, src)...)
		if original, err := r.Read(c.of); err == nil && bytes.Equal(src, original) || s == Off {
			continue
		}
		of := c.of
		if path.Dir(of) == path.Dir(c.name) {
			of = path.Base(of)
		}
		out = append(out, Finding{
			File: c.name, Line: 1, Column: 1, Column16: 1, Rule: strayCopy.Name, Severity: s,
			Message: "a copy of " + plainFile(of) + " that says something else; it is not read",
			Hint:    "bring what it has more into " + plainFile(of) + ", or record it, and remove the copy",
		})
	}
	return out
}
