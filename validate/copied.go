package validate

import (
	"cmp"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

// ofFigures lists the rules about the figures of a State, which every snapshot of it copies.
var ofFigures = []string{layerMismatch.Name, tokenMismatch.Name, windowArithmetic.Name}

// withoutCopied leaves out the findings of snapshots about figures that the State has as well, or a
// later snapshot: one fault of the State is one finding, however often a snapshot was taken of it.
// A snapshot is written once, and nobody can mend it.
func withoutCopied(found []Finding) []Finding {
	type fault struct{ rule, message string }
	first := map[fault]string{} // the document that reports it: the State, or the latest snapshot
	of := func(f Finding) (fault, bool) {
		kind := fs.Place(f.File)
		return fault{f.Rule, f.Message}, (kind == fs.DocState || kind == fs.DocSnapshot) && slices.Contains(ofFigures, f.Rule)
	}
	for _, f := range found {
		if k, ok := of(f); ok && (fs.Place(first[k]) != fs.DocState && cmp.Compare(f.File, first[k]) > 0 || fs.Place(f.File) == fs.DocState) {
			first[k] = f.File
		}
	}
	return slices.DeleteFunc(found, func(f Finding) bool {
		k, ok := of(f)
		return ok && first[k] != f.File
	})
}
