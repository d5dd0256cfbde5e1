package engine

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/secret"
)

// Idea returns the artifact of the project's current idea, with its content.
// An *artifact.Unknown is one whose file cannot be found.
func Idea(r fs.Reader, now time.Time) (artifact.Loaded, error) {
	config, err := readConfig(r)
	if err != nil {
		return artifact.Loaded{}, err
	}
	return artifact.Idea(r, artifact.Edge{Now: now.UTC(), Loader: config.Loader})
}

// UpdateIdea gives the file of the current idea the text updated, provided it
// still holds old, and counts its artifact anew.
func (t *Tree) UpdateIdea(ctx context.Context, old, updated []byte) (Outcome, error) {
	idea, err := Idea(t.Tree, t.edge.Now())
	if err != nil {
		return Outcome{}, err
	}
	name := idea.Artifact.Path
	masker := secret.Masker{Known: func(found string) bool { return bytes.Contains(old, []byte(found)) }}
	updated = []byte(masker.Text(string(updated)))
	replace := func(now []byte) ([]byte, error) {
		if !bytes.Equal(now, old) {
			return nil, fmt.Errorf("%s: %w", name, fs.ErrBusy)
		}
		return updated, nil
	}
	changed := fs.Change{Name: name, Before: old, After: updated}
	if t.DryRun {
		if _, err := replace(idea.Content); err != nil || bytes.Equal(old, updated) {
			return Outcome{}, err
		}
		return Outcome{Changes: []fs.Change{changed}}, nil
	}
	ours := strings.HasPrefix(name, fs.Forgemind+"/") || strings.HasPrefix(name, fs.Quaid+"/")
	if !ours {
		if err := t.Rewrite(name, replace); err != nil {
			return Outcome{}, err
		}
	}
	out, err := t.do(ctx, func(r *round) error {
		r.masked = masker.Kinds()
		if ours {
			if err := edit(r.tx, name, replace); err != nil {
				return err
			}
		}
		return r.onWindow(func(e artifact.Edge) error {
			_, err := artifact.Load(r.tx, idea.Artifact.ID, e)
			return err
		})
	})
	if err == nil && !ours && !bytes.Equal(old, updated) {
		out.Changes = append([]fs.Change{changed}, out.Changes...) // no transaction tells of it
	}
	return out, err
}
