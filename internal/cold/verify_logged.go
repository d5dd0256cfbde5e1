package cold

import (
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A loggedFile describes a file of chunks that the log of drops mentions.
type loggedFile struct {
	place        // of the last line that mentions it
	at    string // when the chunks were dropped
	ids   map[string]bool
}

// dropped checks that the chunks in the log of drops are in cold storage. It finds what no
// conversation mentions anymore: the file of an earlier compaction, and a line that somebody
// removed from a file. A file in the trash is no fault.
func (v *verification) dropped() {
	tree, ok := v.reader.(*fs.Tree)
	if !ok {
		return // other readers have neither logs nor trash
	}
	files := v.logs()
	if len(files) == 0 {
		return
	}
	discarded := map[string]bool{}
	for d := range trashed(tree) {
		discarded[d.name] = true
	}
	judged := map[string]bool{}
	for _, f := range v.faults {
		judged[f.Name] = true
	}
	for _, c := range v.mentions {
		for _, home := range homes {
			judged[Name(home, c.Session, c.ID)] = true
		}
	}
	for name, l := range files {
		if judged[name] || discarded[name] {
			continue
		}
		var lack []string
		for id := range l.ids {
			if _, there := v.places[id]; !there {
				lack = append(lack, id)
			}
		}
		if len(lack) == 0 {
			continue
		}
		slices.Sort(lack)
		const most = 3
		which := strings.Join(lack[:min(most, len(lack))], ", ")
		if len(lack) > most {
			which += ", …"
		}
		v.fault(place{name, 0}, lost, "of the %d chunks that were dropped to it at %.40q, %d are not there (%s): %s:%d",
			len(l.ids), l.at, len(lack), which, l.name, l.line)
	}
}

// logs returns the files of chunks that the logs of drops mention, by name.
func (v *verification) logs() map[string]*loggedFile {
	files := map[string]*loggedFile{}
	for _, home := range homes {
		for name, err := range v.reader.Names(path.Join(home, fs.LogsDir)) {
			if err != nil || fs.Place(name) != fs.DocLogDrops {
				continue
			}
			src, err := v.reader.Read(name)
			if err != nil {
				continue // an unreadable log proves nothing
			}
			for line := range jsonedit.Lines(src) {
				var d schema.LogDrop
				if jsonedit.Decode(line.Text, &d) != nil || !schema.ValidID(d.ChunkID) || fs.Place(d.ColdStoragePath) != fs.DocChunk {
					continue
				}
				l := files[d.ColdStoragePath]
				if l == nil {
					l = &loggedFile{ids: map[string]bool{}}
					files[d.ColdStoragePath] = l
				}
				l.place, l.at = place{name, line.Number}, d.Timestamp
				l.ids[d.ChunkID] = true
			}
		}
	}
	return files
}
