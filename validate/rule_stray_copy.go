package validate

import (
	"bytes"
	"errors"
	iofs "io/fs"
	"path"

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
that says the same is passed over, and so are backups and locks of editors. Where the
folder of a session or of records was copied, as in "conv-2026-03-01-001 2", that goes for
each file of it.

Wrong:

    decisions/DEC-7F3K2Q.json    { "decision": "Prune in March", … }
    decisions/DEC-7F3K2Q 2.json  { "decision": "Prune in April", … }

Right: the first alone, and a decision that supersedes it if April holds.

To mend it, bring what the copy has more into the file, or record it by command, and
remove the copy.
`,
}

// documents lists the names of r below dir without those that readers pass over, and, by
// the names of the copies among these, what they are copies of. Errors come with their
// names; see fs.Reader.
func documents(r fs.Reader, dir string) (names []listedName, copies map[string]string) {
	copies = map[string]string{}
	all := r
	if disk, ok := r.(disk); ok {
		all = disk.Everything()
	}
	for name, err := range all.Names(dir) {
		switch of, over := fs.PassedOver(r, name); {
		case err != nil || !over:
			names = append(names, listedName{name, err})
		case of != "":
			copies[name] = of
		}
	}
	return names, copies
}

// A listedName is the name of a file, or of a folder with the error of listing it.
type listedName struct {
	name string
	err  error
}

// strayCopies reports copies of documents that differ from them, and secrets in them. The
// names of the copies are the keys, those of the documents the values.
func strayCopies(r fs.Reader, copies map[string]string, severity severities) (out []Finding) {
	secrets := make(severities, len(rules))
	for i := range secrets {
		secrets[i] = Off
	}
	secrets[ruleIndex(secretRule.Name)] = severity[ruleIndex(secretRule.Name)]
	j, s := newJudge(secrets), severity[ruleIndex(strayCopy.Name)]
	for name, of := range copies {
		src, err := r.Read(name)
		if err != nil || !Judges(of) {
			continue
		}
		out = append(out, j.one(name, fs.Place(of), false, src)...)
		original, err := r.Read(of)
		if err == nil && bytes.Equal(src, original) || s == Off {
			continue
		}
		shown := of
		if path.Dir(of) == path.Dir(name) {
			shown = path.Base(of)
		}
		f := Finding{
			File: name, Line: 1, Column: 1, Column16: 1, Rule: strayCopy.Name, Severity: s,
			Message: "a copy of " + plainFile(shown) + " that says something else; it is not read",
			Hint:    "bring what it has more into " + plainFile(shown) + ", or record it, and remove the copy",
		}
		if errors.Is(err, iofs.ErrNotExist) {
			f.Message = "in a copy of " + plainFile(path.Dir(of)) + ", which has no such file; it is not read"
			f.Hint = "move it there if it is missing, or remove the copy"
		}
		out = append(out, f)
	}
	return out
}
