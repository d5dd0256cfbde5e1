package validate

import (
	"errors"
	iofs "io/fs"
	"path"

	"github.com/forgemind/forgemind/fs"
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
(` + "`forgemind unload ID`" + `).
`,
	record: func(d *document) {
		if d.facts != nil && d.isState() {
			d.facts.artifacts = append(d.facts.artifacts, artifacts(d)...)
		}
	},
	across: func(c *census) { c.missingArtifacts() },
}

// artifacts are the paths of a State's artifacts that should be there.
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

func (c *census) missingArtifacts() {
	for _, a := range c.artifacts {
		if !exists(c.reader, path.Clean(a.id)) {
			c.at(a.spot, "the artifact "+a.what+" is not there: no file "+quoted(a.id), "restore the file, correct the path, or set loaded and available to false")
		}
	}
}

// exists reports whether a file of the project is there. One that can't be read is.
func exists(r fs.Reader, name string) bool {
	if s, ok := r.(streamer); ok {
		f, err := s.Stream(name)
		if err == nil {
			f.Close()
		}
		return !errors.Is(err, iofs.ErrNotExist)
	}
	_, err := r.Read(name)
	return !errors.Is(err, iofs.ErrNotExist)
}
