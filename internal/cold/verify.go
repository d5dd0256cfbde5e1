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

// A Count holds the numbers of things that Verify examined.
type Count struct {
	Files       int // files of chunks
	Chunks      int
	Compactions int // compactions that conversations mention
	Expired     int // of the compactions, those that expired and are in the trash
	Reset       int // of the compactions, those whose chunks a reset removed
}

// A Compaction describes a compaction as a conversation records it: its number of lines and the
// lines, counted from 0, that it kept. All other lines must be in cold storage.
type Compaction struct {
	ID, Session string
	Lines       int
	Kept        []int
}

// Verify finds everything that would keep a chunk from coming back as it left. These are lines that
// hold no chunk, edited chunks, duplicates, missing passages, invalid dates, and compactions that a
// conversation or the log of drops mentions and whose chunks are missing. The function tells
// decodes a line of a conversation and reports whether it mentions a compaction; it may be nil. The
// faults are sorted by file and line.
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

// A place is a line of a file, or the file itself if line is 0.
type place struct {
	name string
	line int
}

// A verification holds the state of one call of Verify.
type verification struct {
	reader   fs.Reader
	tells    func(line []byte) (Compaction, bool)
	count    Count
	faults   []Fault
	places   map[string]place        // of chunks, by their ids
	left     map[string]map[int]bool // lines that left, by session/compaction
	mentions []mention
}

// A mention is a compaction with the place of the line that mentions it.
type mention struct {
	Compaction
	place
}

func (v *verification) fault(at place, hint, format string, args ...any) {
	v.faults = append(v.faults, Fault{Name: at.name, Line: at.line, Err: fmt.Errorf(format, args...), Hint: hint})
}

// recordCompaction records the compaction that a line of a conversation mentions.
func (v *verification) recordCompaction(at place, line []byte) {
	if v.tells == nil || !bytes.Contains(line, []byte(`"compaction"`)) {
		return
	}
	if c, ok := v.tells(line); ok {
		v.mentions = append(v.mentions, mention{c, at})
	}
}

// conversations checks each compaction that a conversation or a chunk mentions. A chunk can mention
// one, because the summary of a compaction may have left in the next.
func (v *verification) conversations() error {
	for name, err := range v.reader.Names(".") {
		if err != nil || fs.Place(name) != fs.DocMessage {
			continue // validate reports files that cannot be read
		}
		src, err := v.reader.Read(name)
		if isMissing(err) {
			continue
		}
		if err != nil {
			return err
		}
		for line := range jsonedit.Lines(src) {
			v.recordCompaction(place{name, line.Number}, line.Text)
		}
	}
	seen := map[string]bool{}
	for _, c := range v.mentions {
		if key := c.Session + "/" + c.ID; !seen[key] && schema.ValidID(c.ID) && schema.ValidID(c.Session) {
			seen[key] = true
			v.count.Compactions++
			v.compaction(c, v.left[key])
		}
	}
	return nil
}

// compaction checks that the lines that left in a compaction are all in cold storage.
func (v *verification) compaction(c mention, there map[int]bool) {
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

// lost is the hint for a file that is nowhere in the tree.
const lost = "another copy of the project or a backup may have the file: git does not keep cold storage unless it was told to"

// gone returns the latest file of a compaction in the trash. There can be several: a compaction
// that was undone can be made again.
func (v *verification) gone(c mention) (found *GoneError, ok bool) {
	tree, ok := v.reader.(*fs.Tree)
	if !ok {
		return nil, false
	}
	for t := range trashed(tree) {
		if path.Base(t.name) != c.ID+".jsonl" || path.Base(path.Dir(t.name)) != c.Session {
			continue
		}
		if src, err := tree.Read(t.trash); err == nil {
			found = t.goneError("compaction "+c.ID, src)
		}
	}
	return found, found != nil
}

// ranges formats numbers for people, such as "3-7, 9".
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
