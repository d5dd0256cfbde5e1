package operation

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/importer"
	"github.com/forgemind/forgemind/schema"
)

// ReadSource reads files and directories of a format below the project directory of r. From is "" or
// the name of the directory that r is, if it is not the project. Git tells who added a file and when,
// where a file does not say it.
//
//nolint:revive // the argument from goes with places
func ReadSource(ctx context.Context, r *fs.Tree, f importer.Format, places []string, from string) (importer.Result, error) {
	res, err := f.Read(r, places)
	if err != nil {
		return res, err
	}
	res.From = from
	known, err := git.FileHistories(ctx, r.Root(), places...)
	if err != nil && !errors.Is(err, git.ErrNoRepository) && !errors.Is(err, git.ErrNotInstalled) {
		return res, err
	}
	for i := range res.Items {
		it := &res.Items[i]
		it.SetOrigin(from, known[it.Source.File].Last)
		h := known[it.Source.File]
		if it.At == "" && !h.Added.IsZero() {
			it.At = schema.FormatTime(h.Added)
		}
		if it.By == "" {
			it.By = h.Author
		}
	}
	return res, nil
}

// ReadCommits returns the decisions in the messages of the newest commits, at most most,
// without the commits that the revision since reaches.
func ReadCommits(ctx context.Context, root, since string, most int) (importer.Result, error) {
	all, err := git.Authored(ctx, root, since, most)
	if err != nil {
		return importer.Result{}, err
	}
	commits := make([]importer.CommitText, len(all))
	for i, c := range all {
		commits[i] = importer.CommitText{ID: c.ID, At: c.At.Format(time.RFC3339), By: c.Author, Message: c.Message}
	}
	slices.Reverse(commits) // the oldest first
	return importer.Commits(commits), nil
}

// A FoundSource is a source of a tree that can be imported.
type FoundSource struct {
	Format string `json:"source"`
	Place  string `json:"path"`
	Items  int    `json:"items"`
	Noun   string `json:"noun"` // for its items, such as "decision record"
}

// FindSources returns the sources in the project directory of r that can be imported. It
// writes nothing.
func FindSources(r fs.Reader) (all []FoundSource) {
	for _, f := range importer.Formats() {
		for _, place := range f.Places(r) {
			res, err := f.Read(r, []string{place})
			if err == nil && len(res.Items) > 0 {
				all = append(all, FoundSource{f.Name, place, len(res.Items), f.Noun})
			}
		}
	}
	return all
}

// PlaceOf returns the name of a path below root. It returns false if the path is outside of root.
func PlaceOf(root, path string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return "", false
	}
	return filepath.ToSlash(rel), true
}
