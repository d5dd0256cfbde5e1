package acted

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// Stamp returns a text that changes when a file is added to the folders of decisions, or removed.
// It is "" where nothing tells that.
func Stamp(tree *fs.Tree) string {
	if _, remote := tree.Remote(); remote {
		return ""
	}
	var all strings.Builder
	for _, home := range homes {
		dir := home + "/" + fs.DecisionsDir
		folder, err := tree.Look(dir)
		if err != nil {
			all.WriteString("- ")
			continue // what cannot be read has no files
		}
		written := folder.ModTime().UnixNano()
		if !tree.Settled(fs.Stamp{Name: dir, Written: written}) {
			return ""
		}
		fmt.Fprintf(&all, "%d ", written)
	}
	return all.String()
}
