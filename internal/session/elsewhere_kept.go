package session

import (
	"maps"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// keptIDs holds the possible message ids of files. An entry is valid as long as the file has its
// stamp. The data is derived and is computed again if it is damaged.
type keptIDs struct {
	Version int       `json:"version"`
	Files   []fileIDs `json:"files"`
}

type fileIDs struct {
	Stamp fs.Stamp `json:"stamp"`
	IDs   string   `json:"ids"` // see mayBeIDs
}

const (
	keptIDsVersion = 1
	// worthKeeping is the least number of bytes read for which the ids are stored. Reading less is
	// faster than storing them.
	worthKeeping = 256 << 10
)

func keptIDsName() string { return fs.LocalName(fs.Quaid, "index", "ids.json") }

// readChanged reads the files of the other sessions whose ids are not stored.
func (e *elsewhere) readChanged(tree *fs.Tree, stamps []fs.Stamp, here string) error {
	known := knownIDs(tree)
	staged := map[string][]byte{} // the bytes of staged files do not belong to the stamps
	if tx, ok := e.reader.(*fs.Tx); ok {
		staged = tx.Staged()
	}
	next := keptIDs{Version: keptIDsVersion}
	fresh := 0
	for _, s := range stamps {
		if id, _ := documentOf(s.Name); id == here {
			continue
		}
		_, changes := staged[s.Name]
		may, is := known[s]
		switch {
		case changes:
			continue
		case is:
			e.add(s.Name, may)
		default:
			src, err := e.read(s.Name)
			if err != nil {
				return err
			}
			if src == nil || !tree.IsSettled(s) {
				continue
			}
			fresh += len(src)
		}
		next.Files = append(next.Files, fileIDs{s, e.may[len(e.may)-1]})
	}
	for _, name := range slices.Sorted(maps.Keys(staged)) {
		if id, ours := documentOf(name); ours && id != here && staged[name] != nil && fs.Place(name) == fs.DocMessage {
			if _, err := e.read(name); err != nil {
				return err
			}
		}
	}
	if src, err := jsonedit.Marshal(next); fresh >= worthKeeping && !tree.DryRun && err == nil {
		_ = tree.WriteDerived(keptIDsName(), src) // on failure only the next search takes longer
	}
	return nil
}

// knownIDs returns the stored ids by stamp.
func knownIDs(tree *fs.Tree) map[fs.Stamp]string {
	known := map[fs.Stamp]string{}
	var kept keptIDs
	src, err := tree.Read(keptIDsName())
	if err == nil && jsonedit.Decode(src, &kept) == nil && kept.Version == keptIDsVersion {
		for _, k := range kept.Files {
			known[k.Stamp] = k.IDs
		}
	}
	return known
}
