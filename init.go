package forgemind

import (
	"context"
	"errors"

	"github.com/forgemind/forgemind/internal/operation"
)

// A Layout is the set of folders of a tree.
type Layout string

// The layouts.
const (
	LayoutForgemind Layout = "forgemind" // records, decisions and memory
	LayoutQuaid     Layout = "quaid"     // conversations
	LayoutBoth      Layout = "both"
)

// InitOptions select the parts of a new tree. The zero value is LayoutForgemind, and git
// ignores the views.
type InitOptions struct {
	Layout       Layout
	TrackedViews bool // git tracks the views
}

// Init makes a tree in dir, or adds missing documents to an existing one, and opens it.
// Existing documents stay unchanged. dir must exist. Commit the new files with git; forgemind
// never does.
func Init(ctx context.Context, dir string, o InitOptions, options ...Option) (*Tree, error) {
	tree, err := openAt(dir, options)
	if err != nil {
		return nil, err
	}
	if _, _, err := operation.Init(ctx, tree.tree, operation.InitOptions{Layout: string(o.Layout), TrackedViews: o.TrackedViews}); err != nil {
		return nil, errors.Join(apiError(err), tree.Close())
	}
	return tree, nil
}
