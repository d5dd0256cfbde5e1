package validate

import (
	"errors"
	"io"
	iofs "io/fs"
	"path"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

var artifactMissing = Rule{
	Name:     "artifact-missing",
	Severity: Warning,
	Summary:  "A loaded or available artifact whose file is not there.",
	Help: `The live State says of an artifact that it is loaded, or available, but no file
stands at its path.

An agent that relies on it works from memory, or fails when it loads it again.
Snapshots, and files that are judged by themselves, are not held against the disk.

Wrong:

    { "id": "IDEA-001", "loaded": true, "path": "docs/idea.md" }     with no docs/idea.md

Right: the same with the file there, or with "loaded": false.

To mend it, restore the file, correct the path, or unload the artifact
(` + "`forgemind artifact unload ID`" + `).
`,
	record: func(d *document) {
		if d.facts != nil && d.isState() {
			d.facts.artifacts = append(d.facts.artifacts, artifacts(d)...)
		}
	},
	across: func(c *treeFacts) { c.missingArtifacts() },
}

// artifacts returns the paths of a State's artifacts that should exist.
func artifacts(d *document) (out []reference) {
	list := d.tape.Member(0, "loaded_artifacts")
	for a := d.first(list); a >= 0; a = d.next(a) {
		file := d.tape.Member(a, "path")
		needed := d.kindOf(d.tape.Member(a, "loaded")) == jsonedit.True || d.kindOf(d.tape.Member(a, "available")) == jsonedit.True
		if p := d.str(file); needed && p != "" && outside(p) == "" {
			out = append(out, reference{spot: d.spot(file), id: p, what: plain(d.str(d.tape.Member(a, "id")))})
		}
	}
	return out
}

func (c *treeFacts) missingArtifacts() {
	for _, a := range c.artifacts {
		if !c.exists(path.Clean(a.id)) {
			c.at(a.spot, "the artifact "+a.what+" is not there: no file "+quoted(a.id), "restore the file, correct the path, or set loaded and available to false")
		}
	}
}

// exists reports whether a file of the project exists. A file that cannot be read
// counts as existing.
func (c *treeFacts) exists(name string) bool {
	if s, ok := c.reader.(interface {
		Stream(name string) (io.ReadCloser, error)
	}); ok {
		f, err := s.Stream(name)
		if err == nil {
			f.Close()
		}
		return !errors.Is(err, iofs.ErrNotExist)
	}
	_, err := c.reader.Read(name)
	return !errors.Is(err, iofs.ErrNotExist)
}
