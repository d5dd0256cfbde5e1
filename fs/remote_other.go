//go:build !linux

package fs

// Remote names the kind of file system that the tree stands on, if it is one
// that others change without this system being told. Here nothing is known.
func (t *Tree) Remote() (kind string, remote bool) { return "", false }
