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

// Idea returns the artifact of the project's current idea, with its content. The error
// is an *artifact.UnknownError if its file cannot be found.
func Idea(r fs.Reader, now time.Time) (artifact.Loaded, error) {
	config, err := readConfig(r)
	if err != nil {
		return artifact.Loaded{}, err
	}
	return artifact.Idea(r, artifact.Edge{Now: now.UTC(), Loader: config.Loader})
}

// UpdateIdea replaces the text old of the current idea's file by updated, and counts
// the tokens of its artifact again. It fails if the file no longer holds old.
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
	out, err := t.do(ctx, func(r *WorkingSet) error {
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
		out.Changes = append([]fs.Change{changed}, out.Changes...) // the file is not part of the transaction's changes
	}
	return out, err
}
