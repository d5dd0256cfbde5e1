//go:build !linux

package fs

// Remote returns the kind of the file system that holds the tree, if other machines can
// change it without a notification on this one. On this system it always returns false.
func (t *Tree) Remote() (kind string, remote bool) { return "", false }
