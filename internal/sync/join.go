package sync

import (
	"context"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/templates"
)

// Join creates the folders of the remote's tree, such as ".forgemind", in a directory that has no
// tree, and returns them. It creates nothing if the remote has no tree. The files come with the
// first sync.
func (r *Remote) Join(ctx context.Context, tree *engine.Tree) ([]string, error) {
	tip, err := r.store.Fetch(ctx, r.URL, r.Branch)
	if err != nil {
		return nil, err
	}
	revision, there, err := r.files(ctx, tip)
	defer closeAll(revision)
	if err != nil {
		return nil, err
	}
	folders := homesOf(there)
	if len(folders) == 0 {
		return nil, nil
	}
	if err := tree.Create(folders...); err != nil {
		return nil, err
	}
	_, err = tree.Transaction(ctx, func(tx *fs.Tx) error {
		for _, folder := range folders {
			tx.Write(folder+"/.gitignore", fs.GitIgnoreViews(folder))
			tx.Write(folder+"/.gitattributes", templates.GitAttributes(folder))
		}
		return nil
	})
	return folders, err
}
