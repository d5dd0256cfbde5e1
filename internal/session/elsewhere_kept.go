package session

import (
	"maps"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// keptIDs are what may be the ids of messages in files, each believed as long as the
// file has its stamp. It is derived, and made anew where it is wrong.
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
	// worthKeeping is how much must have been read for ids to be kept, in bytes:
	// less is read sooner than they are written.
	worthKeeping = 256 << 10
)

func keptIDsName() string { return fs.LocalName(fs.Quaid, "index", "ids.json") }

// readChanged reads the files of the other sessions whose ids are not kept.
func (e *elsewhere) readChanged(tree *fs.Tree, stamps []fs.Stamp, here string) error {
	known := knownIDs(tree)
	staged := map[string][]byte{} // these are not what was stamped
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
			if src == nil || !tree.Settled(s) {
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
		_ = tree.Derive(keptIDsName(), src) // without them the next search takes longer, that is all
	}
	return nil
}

// knownIDs are the ids that are kept, by stamp.
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
