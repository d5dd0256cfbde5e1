package cold

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Count is how much Verify looked at.
type Count struct {
	Files       int // of chunks
	Chunks      int
	Compactions int // that conversations tell of
	Expired     int // of those: their chunks are in the trash, as they were to be
	Reset       int // of those: their chunks were moved away by a reset
}

// A Compaction is what a conversation tells of one: which lines it had, from 0,
// and which of them it kept. The others must be in cold storage.
type Compaction struct {
	ID, Session string
	Lines       int
	Kept        []int
}

// Verify looks for everything that would keep a chunk from coming back as it
// left: lines that hold none, chunks that were edited, that stand there twice or
// lack a passage, dates that are none, and compactions that conversations tell of,
// or the log of drops, and whose chunks are not there. tells says whether a line of a conversation
// tells of a compaction; nil knows none. The faults come by file and line.
func Verify(r fs.Reader, tells func(line []byte) (Compaction, bool)) ([]Fault, Count, error) {
	v := verification{reader: r, tells: tells, places: map[string]place{}, left: map[string]map[int]bool{}}
	for name, err := range files(r) {
		var src []byte
		if err == nil {
			src, err = r.Read(name)
		}
		v.count.Files++
		if err != nil {
			v.fault(place{name, 0}, "the file must be readable", "%w", err)
			continue
		}
		v.file(name, src)
	}
	if err := v.conversations(); err != nil {
		return nil, v.count, err
	}
	v.dropped()
	slices.SortStableFunc(v.faults, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Line, b.Line))
	})
	return v.faults, v.count, nil
}

// A place is a line of a file; line 0 is the file.
type place struct {
	name string
	line int
}

// A verification is one run of Verify.
type verification struct {
	reader fs.Reader
	tells  func(line []byte) (Compaction, bool)
	count  Count
	faults []Fault
	places map[string]place        // of chunks, by their ids
	left   map[string]map[int]bool // lines of conversations, by session/compaction
	told   []told
}

// A told is a compaction with the place of the line that tells of it.
type told struct {
	Compaction
	place
}

func (v *verification) fault(at place, hint, format string, args ...any) {
	v.faults = append(v.faults, Fault{Name: at.name, Line: at.line, Err: fmt.Errorf(format, args...), Hint: hint})
}

// hear takes note of what a line of a conversation tells.
func (v *verification) hear(at place, line []byte) {
	if v.tells == nil || !bytes.Contains(line, []byte(`"compaction"`)) {
		return
	}
	if c, ok := v.tells(line); ok {
		v.told = append(v.told, told{c, at})
	}
}

// conversations judges the compactions that are told of: by conversations, and
// by chunks, for what stood for one may have left in the next.
func (v *verification) conversations() error {
	for name, err := range v.reader.Names(".") {
		if err != nil || fs.Place(name) != fs.DocMessage {
			continue // what cannot be read is for validate to tell
		}
		src, err := v.reader.Read(name)
		if missing(err) {
			continue
		}
		if err != nil {
			return err
		}
		for line := range jsonedit.Lines(src) {
			v.hear(place{name, line.Number}, line.Text)
		}
	}
	seen := map[string]bool{}
	for _, c := range v.told {
		if key := c.Session + "/" + c.ID; !seen[key] && schema.ValidID(c.ID) && schema.ValidID(c.Session) {
			seen[key] = true
			v.count.Compactions++
			v.compaction(c, v.left[key])
		}
	}
	return nil
}

// compaction judges whether the lines that left in a compaction are all there.
func (v *verification) compaction(c told, there map[int]bool) {
	kept := make(map[int]bool, len(c.Kept))
	for _, line := range c.Kept {
		kept[line] = true
	}
	want := c.Lines - len(kept)
	var lack []int
	for line := 0; line < c.Lines && len(lack) < 1<<20; line++ {
		if !kept[line] && !there[line] {
			lack = append(lack, line)
		}
	}
	if len(lack) == 0 {
		return
	}
	if there == nil && wasReset(v.reader, c.Session, c.ID) {
		v.count.Reset++
		return
	}
	if there == nil {
		gone, ok := v.gone(c)
		if ok && gone.expired() {
			v.count.Expired++
			return
		}
		if ok {
			v.fault(c.place, fmt.Sprintf("move it back to %s", gone.Name),
				"what left in compaction %s is not in cold storage: its file was taken away on %s, and is in %s",
				c.ID, schema.FormatTime(gone.At), gone.Trash)
			return
		}
	}
	v.fault(c.place, lost,
		"of the %d lines that left in compaction %s, %d are not in cold storage (%s)", want, c.ID, len(lack), ranges(lack))
}

// lost is the hint for what is nowhere in the tree.
const lost = "another copy of the project or a backup may have the file: git does not keep cold storage unless it was told to"

// gone finds the file of a compaction in the trash, the latest: one that was taken
// back may have been made again.
func (v *verification) gone(c told) (found *Gone, ok bool) {
	tree, ok := v.reader.(*fs.Tree)
	if !ok {
		return nil, false
	}
	for t := range trashed(tree) {
		if path.Base(t.name) != c.ID+".jsonl" || path.Base(path.Dir(t.name)) != c.Session {
			continue
		}
		if src, err := tree.Read(t.trash); err == nil {
			found = t.gone("compaction "+c.ID, src)
		}
	}
	return found, found != nil
}

// ranges is numbers for people: 3-7, 9.
func ranges(all []int) string {
	const most = 8
	var text []string
	for i := 0; i < len(all); {
		end := i
		for end+1 < len(all) && all[end+1] == all[end]+1 {
			end++
		}
		if len(text) == most {
			text = append(text, "…")
			break
		}
		if end > i {
			text = append(text, fmt.Sprintf("%d-%d", all[i]+1, all[end]+1))
		} else {
			text = append(text, fmt.Sprint(all[i]+1))
		}
		i = end + 1
	}
	return strings.Join(text, ", ")
}
