package engine

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
)

// An artifactStage holds how this working copy saw the files of loaded artifacts.
type artifactStage struct {
	loadedFiles artifact.Seen
	unasked     map[string]bool // Names of files that could not be looked at
}

// recountArtifacts counts the loaded artifacts anew whose files somebody changed. In a State that git tracks
// only those are counted that were changed here: what git brought is counted where it was changed.
func (r *round) recountArtifacts() error {
	s, ok := r.readState()
	if !ok {
		return nil
	}
	r.loadedFiles, r.unasked = artifact.ReadSeen(r.tx), map[string]bool{}
	moved := r.loadedFiles.Moved(artifact.See(r.tree.Tree, s.LoadedArtifacts))
	if len(moved) == 0 {
		return nil
	}
	skip := func(string, []byte) (bool, error) { return false, nil }
	if !fs.Ignores(r.tx, fs.State) {
		skip = func(name string, content []byte) (bool, error) {
			if content != nil {
				return r.isCommitted(name, content)
			}
			held, err := r.committed([]string{name}) // git may have taken it away
			_, is := held[name]
			return !is, err
		}
	}
	var changed []artifact.Recounted
	err := r.tx.Try(func(*fs.Tx) error {
		return r.onWindow(func(e artifact.Edge) (err error) {
			changed, err = artifact.Recount(r.tx, moved, skip, e)
			return err
		})
	})
	switch {
	case errors.Is(err, fs.ErrUnsettled):
		return err
	case err != nil:
		r.unasked = moved
		r.tell(fmt.Sprintf("the loaded artifacts that changed are not counted yet: %v", err))
	}
	for _, a := range changed {
		if a.Gone {
			r.tell(fmt.Sprintf("%s is gone since it was loaded; 'forgemind unload %s' takes it out of the window", a.Path, a.ID))
			continue
		}
		r.tell(fmt.Sprintf("%s changed since it was loaded: it has %d tokens, and had %d; 'forgemind load %s' gives it anew", a.Path, a.Tokens, a.Before, a.ID))
	}
	return nil
}

// closeArtifacts notes how the files of the artifacts stand that are loaded now.
func (r *round) closeArtifacts() error {
	s, ok := r.readState()
	if !ok {
		return nil
	}
	now := artifact.See(r.tree.Tree, s.LoadedArtifacts)
	staged := r.tx.Staged()
	for i, f := range now.Files {
		if _, wrote := staged[f.Name]; wrote || r.unasked[f.Name] {
			now.Files[i] = fs.Stamp{Name: f.Name, Size: -1}
		}
	}
	return now.Keep(r.tx, r.home)
}

// LoadedFiles returns the Names of the files of the artifacts that are loaded; none if the State cannot be read.
func LoadedFiles(tree *fs.Tree) (names []string) {
	loaded, _ := artifact.List(tree) // what is wrong with it is for validate to report
	for _, f := range artifact.See(tree, loaded).Files {
		names = append(names, f.Name)
	}
	return names
}

// isCommitted reports whether src is what the last commit holds of a file that git does not ignore, but for ends
// of lines, which git may change.
func (r *round) isCommitted(name string, src []byte) (bool, error) {
	if fs.Ignores(r.tx, name) {
		return false, nil
	}
	held, err := r.committed([]string{name})
	if err != nil {
		return false, err
	}
	text, is := held[name]
	plain := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
	return is && bytes.Equal(plain(text), plain(src)), nil
}
