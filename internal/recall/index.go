package recall

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/relevance"
)

// A Past is an index of all messages of sessions and of fs.Messages, and of the fragments,
// open for searching. It shows the documents of the time when it was opened, or later ones.
// It is for one goroutine.
//
// Most words are in a volume, a file below `.local/index/`. The volume is valid for a file as
// long as the file has its stamp, or begins with the bytes that were indexed. The rest is
// read when the Past is opened; if the rest is large, a new volume is stored. So the results
// and their scores depend on the documents alone. If nothing can be stored, everything is
// read.
type Past struct {
	tree    *fs.Tree
	volumes [2]*volume // the stored one, and the rest
	owners  [2][]int   // the index in files for each part of a volume; absent if it is outdated
	files   []file
	talks   map[string]*talk
	tags    map[string][]string // of sessions

	chains        map[string]*chain // by the session
	stretches     []stretch
	before, after map[string]string // see links
}

// A file is a file that a Past reads.
type file struct {
	stamp   fs.Stamp
	session string // the session of its folder; "" for fs.Messages and fragments
	parts   [2]int // in the volumes, or absent
	proven  bool   // the stored volume is valid for its bytes, but not for its stamp
}

const absent = -1

const (
	kept = iota
	loose
)

// Limits for text that is read at each opening, and for text that is held in memory.
const (
	maxLoose     = 96 << 10 // bytes
	maxLooseMany = 128      // files
	maxProven    = 1 << 20  // bytes of files with an outdated stamp
	maxHeld      = 16 << 20 // bytes
)

// Open opens the Past of a tree.
func Open(tree *fs.Tree) (*Past, error) {
	p := &Past{tree: tree}
	return p, p.open(true)
}

// open reads the documents. Unless trust is set, it ignores the stored volume.
func (p *Past) open(trust bool) error {
	stamps, stamped, err := stampsOf(p.tree)
	if err != nil {
		return err
	}
	at := p.keptName()
	v := &volume{words: &relevance.Index{}}
	if stamped && trust {
		if src, err := p.tree.Read(at); err == nil {
			if stood, ok := openKept(src); ok {
				v = stood
			}
		}
	}
	worth, err := p.read(stamps, v)
	if stamped && worth {
		_ = p.tree.WriteDerived(at, p.merged()) // an error is ignored: the volume is made again
	}
	return err
}

// read reads those parts of the files of stamps that a volume does not cover. It
// reports whether the new volume should be stored.
func (p *Past) read(stamps []fs.Stamp, v *volume) (worth bool, err error) {
	p.volumes[kept] = v
	p.files, p.talks, p.tags = make([]file, 0, len(stamps)), map[string]*talk{}, map[string][]string{}
	p.chains, p.stretches, p.before, p.after = map[string]*chain{}, nil, nil, nil
	r := reading{Past: p, writer: writer{builder: relevance.NewBuilder()}, known: make(map[string]int, len(v.parts))}
	for i, part := range v.parts {
		r.known[part.stamp.Name] = i
	}
	for _, stamp := range stamps {
		r.file(stamp)
	}
	r.words = r.builder.Index()
	if r.words.Texts() != r.texts() { // more than 4 GiB of words
		return false, fs.ErrTooLarge
	}
	p.volumes[loose] = &r.volume
	left := p.settle()
	return r.looseBytes > maxLoose || r.looseFiles > maxLooseMany || r.provenBytes > maxProven || left > v.texts()/2, nil
}

// keptName returns the name of the stored volume.
func (p *Past) keptName() string {
	home := fs.Quaid
	if _, err := p.tree.Look(home); err != nil {
		home = fs.Forgemind
	}
	return fs.LocalName(home, "index", "recall")
}

// stampsOf returns the stamps of all files that a Past reads, in their order. They have
// only names if stamps are not reliable.
func stampsOf(tree *fs.Tree) (all []fs.Stamp, stamped bool, err error) {
	all, _, err = tree.StampsBelow(fs.Sessions, archiveFile, windowFile)
	if errors.Is(err, errors.ErrUnsupported) {
		return namesOf(tree), false, nil
	}
	if err != nil {
		return nil, false, err
	}
	for _, dir := range [...]string{path.Dir(fs.Messages), fragmentsDir(fs.Forgemind), fragmentsDir(fs.Quaid)} {
		stamps, _, err := tree.Stamps(dir)
		if err != nil {
			return nil, false, err
		}
		all = append(all, slices.DeleteFunc(stamps, func(s fs.Stamp) bool { return !isRead(s.Name) })...)
	}
	slices.SortFunc(all, func(a, b fs.Stamp) int { return order(a.Name, b.Name) })
	return all, true, nil
}

const (
	archiveFile = "archive.jsonl"
	windowFile  = "recent_history.jsonl"
)

// isRead reports whether a Past reads a file.
func isRead(name string) bool {
	switch rank(name) {
	case 0:
		base := path.Base(name)
		return strings.Count(name, "/") == strings.Count(fs.Sessions, "/")+2 && (base == archiveFile || base == windowFile)
	case 1:
		return true
	}
	dir := path.Dir(name)
	return path.Ext(name) == ".md" && (dir == fragmentsDir(fs.Forgemind) || dir == fragmentsDir(fs.Quaid))
}

// namesOf is stampsOf without stamps.
func namesOf(tree *fs.Tree) (all []fs.Stamp) {
	for _, dir := range [...]string{fs.Sessions, fs.Messages, fragmentsDir(fs.Forgemind), fragmentsDir(fs.Quaid)} {
		for name, err := range tree.Names(dir) {
			if err == nil && isRead(name) {
				all = append(all, fs.Stamp{Name: name})
			}
		}
	}
	slices.SortFunc(all, func(a, b fs.Stamp) int { return order(a.Name, b.Name) })
	return all
}

// A reading is the state of opening a Past: it makes the volume of the rest.
type reading struct {
	*Past
	writer
	known                               map[string]int // parts of the stored volume, by the names of their files
	looseBytes, looseFiles, provenBytes int
	held                                int // bytes
}

// file adds a file: the part that the stored volume has, and the rest. A file that cannot be
// read is left out.
func (r *reading) file(stamp fs.Stamp) {
	f := file{stamp: stamp, parts: [2]int{absent, absent}}
	if rest, ok := strings.CutPrefix(stamp.Name, fs.Sessions+"/"); ok {
		f.session, _, _ = strings.Cut(rest, "/")
	}
	if at, ok := r.known[stamp.Name]; ok {
		of := &r.volumes[kept].parts[at]
		if of.stamp == stamp {
			f.parts[kept] = at
			r.files = append(r.files, f)
			return
		}
		if rest, ok := r.grown(stamp, of); ok {
			f.parts[kept], f.proven = at, true
			if len(rest) > 0 {
				r.take(&f, part{stamp: stamp, from: of.size, sum: of.sum, last: of.last}, rest)
			} else if r.tree.IsSettled(stamp) {
				r.provenBytes += int(of.size)
			}
			r.files = append(r.files, f)
			return
		}
	}
	if stamp.Size > MaxSearched {
		return
	}
	if src, err := r.tree.Read(stamp.Name); err == nil {
		r.take(&f, part{stamp: stamp, last: timeless}, src)
		r.files = append(r.files, f)
	}
}

// MaxSearched is the maximum size of a file that is searched, in bytes. The file is
// held in memory while it is read.
const MaxSearched = 128 << 20

// take adds text of a file to the volume of the rest.
func (r *reading) take(f *file, p part, src []byte) {
	if r.held += len(src); r.held <= maxHeld {
		p.src = src
	}
	f.parts[loose] = len(r.parts)
	r.add(p, src)
	r.looseBytes += len(src)
	r.looseFiles++
}

var bom = []byte("\xEF\xBB\xBF")

// grown reports whether a file still begins with the bytes of a part, which must end
// with a line if more follows. It returns the bytes that follow.
func (r *reading) grown(stamp fs.Stamp, p *part) (rest []byte, ok bool) {
	if stamp.Size < p.size || isFragment(stamp.Name) && stamp.Size > p.size {
		return nil, false
	}
	f, err := r.tree.Stream(stamp.Name)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	var sum uint32
	buf := make([]byte, min(p.size, 256<<10))
	end := byte('\n')
	for left := p.size; left > 0; {
		n, err := io.ReadFull(f, buf[:min(left, int64(len(buf)))])
		if err != nil {
			return nil, false
		}
		sum = crc32.Update(sum, castagnoli, buf[:n])
		end = buf[n-1]
		left -= int64(n)
	}
	if sum != p.sum {
		return nil, false
	}
	rest, err = io.ReadAll(io.LimitReader(f, 1<<30-p.size))
	// A byte order mark in the middle of a file is text.
	return rest, err == nil && (len(rest) == 0 || end == '\n' && !bytes.HasPrefix(rest, bom) && !isFragment(stamp.Name))
}

// settle determines the files of the parts of the volumes, and drops the parts without one.
// It returns the number of dropped texts.
func (p *Past) settle() (left int) {
	for v := range p.volumes {
		p.owners[v] = slices.Repeat([]int{absent}, len(p.volumes[v].parts))
	}
	for i, f := range p.files {
		for v, at := range f.parts {
			if at != absent {
				p.owners[v][at] = i
			}
		}
	}
	v := p.volumes[kept]
	for i, of := range v.parts {
		if p.owners[kept][i] == absent {
			v.words.LeaveOut(of.first, of.end)
			left += of.end - of.first
		}
	}
	return left
}

// merged returns both volumes as one for storage, without outdated entries.
func (p *Past) merged() []byte {
	var v volume
	sources := [2]relevance.Source{}
	for i, of := range p.volumes {
		sources[i] = relevance.Source{Index: of.words, Places: slices.Repeat([]int{relevance.Nowhere}, of.texts())}
	}
	for _, f := range p.files {
		var all part
		all.first = v.texts()
		for i, at := range f.parts {
			if at == absent {
				continue
			}
			of := p.volumes[i]
			one := of.parts[at]
			all.size, all.sum, all.last = one.size, one.sum, one.last
			for text := one.first; text < one.end; text++ {
				sources[i].Places[text] = v.texts() + text - one.first
			}
			v.entries = append(v.entries, of.entries[entrySize*one.first:entrySize*one.end]...)
		}
		all.end = v.texts()
		all.stamp = fs.Stamp{Name: f.stamp.Name}
		if f.stamp.Size == all.size && p.tree.IsSettled(f.stamp) {
			all.stamp = f.stamp
		}
		v.parts = append(v.parts, all)
	}
	return v.appendKept(nil, func(b []byte) []byte {
		return relevance.AppendMerged(b, v.texts(), sources[kept], sources[loose])
	})
}
