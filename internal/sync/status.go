package sync

import (
	"context"
	"errors"
	iofs "io/fs"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
)

// A Status describes the differences between a tree and its remote, as of the last contact.
type Status struct {
	URL         string     `json:"url"`
	Branch      string     `json:"branch"`
	LastContact string     `json:"last_contact,omitzero"` // UTC
	Ahead       []string   `json:"ahead"`                 // files that the remote lacks or has in an older version
	Behind      []string   `json:"behind"`                // files that are to be taken
	Quarantine  []Rejected `json:"quarantine"`            // files of the remote that are not taken
}

// Look compares the tree with what was fetched last. It does not speak to the remote.
func Look(ctx context.Context, tree *engine.Tree, r *Remote) (Status, error) {
	s := Status{URL: r.URL, Branch: r.Branch, LastContact: r.LastContact, Quarantine: append([]Rejected{}, r.Quarantine...)}
	last, base, err := r.files(ctx, r.store.Agreed(ctx))
	if err != nil {
		return s, err
	}
	theirs, there, err := r.files(ctx, r.store.Fetched(ctx))
	defer closeAll(last, theirs)
	if err != nil {
		return s, err
	}
	here, err := scan(tree.Tree)
	if err != nil {
		return s, err
	}
	plan := makePlan(base, here, there)
	known := func(name string) bool {
		return slices.ContainsFunc(r.Quarantine, func(q Rejected) bool { return q.File == name && q.Blob == there[name] })
	}
	s.Ahead = append([]string{}, plan.Publish...)
	s.Behind = slices.DeleteFunc(append(append([]string{}, plan.Take...), plan.Merge...), known)
	slices.Sort(s.Behind)
	return s, nil
}

// Senders returns the name of who sent each file first, as [Remote.Authors] has it, as of the last
// contact. It is nil if no remote is set for the tree at root. It does not wait for a sync under way.
func Senders(ctx context.Context, home, root string) (map[string]string, error) {
	dir, err := fs.OpenCopyDir(dirOf(home, root))
	if errors.Is(err, iofs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &Remote{dir: dir}
	defer r.Close()
	if err := r.load(ctx, root); err != nil {
		return nil, err
	}
	tip := r.store.Fetched(ctx)
	if tip == "" {
		return nil, nil
	}
	return r.store.Senders(ctx, tip)
}

// Authors returns who sent files, the last one first, as of the last contact.
func (r *Remote) Authors(ctx context.Context) ([]git.CommitAuthor, error) {
	tip := r.store.Fetched(ctx)
	if tip == "" {
		return nil, nil
	}
	return r.store.Authors(ctx, tip)
}
