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

// A Past is all that was said and noted, open for searching: every message of
// every session, those of fs.Messages, and the fragments. It shows what stood
// there when it was opened, or later. It is for one goroutine.
//
// The words of most of it stand in a volume below `.local/index/`, which is
// believed of a file while the file's stamp is the one it was read by, or its
// bytes begin with those that were read. Whatever it does not cover is read when
// the Past is opened; when that becomes much, another volume is kept. So what a
// search finds, and its scores, depend on the documents alone. Where nothing can
// be kept everything is read.
type Past struct {
	tree    *fs.Tree
	volumes [2]*volume // the kept one, and what it does not cover
	owners  [2][]int   // by the part of a volume: which of files; absent where it counts no more
	files   []file
	talks   map[string]*talk
	tags    map[string][]string // of sessions

	chains        map[string]*chain // by their sessions
	stretches     []stretch
	before, after map[string]string // see links
}

// A file is one of those that a Past reads.
type file struct {
	stamp   fs.Stamp
	session string // its folder's; "" of fs.Messages and of fragments
	parts   [2]int // in the volumes, or absent
	proven  bool   // that the kept volume covers it, its bytes did, not its stamp
}

const absent = -1

const (
	kept = iota
	loose
)

// Limits of what is left to be read each time, and of what is held of it.
const (
	maxLoose     = 96 << 10 // bytes
	maxLooseMany = 128      // files
	maxProven    = 1 << 20  // bytes of files whose stamps would do
	maxHeld      = 16 << 20 // bytes
)

// Open opens the Past of a tree.
func Open(tree *fs.Tree) (*Past, error) {
	p := &Past{tree: tree}
	return p, p.open(true)
}

// open reads what there is; without the kept volume where that is not to be
// trusted.
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
		_ = p.tree.Derive(at, p.merged()) // a convenience: what could not be kept is made again
	}
	return err
}

// read reads what a volume does not cover of the files of stamps, and says
// whether another volume is worth keeping.
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

// keptName is where the volume is kept.
func (p *Past) keptName() string {
	home := fs.Quaid
	if _, err := p.tree.Look(home); err != nil {
		home = fs.Forgemind
	}
	return fs.LocalName(home, "index", "recall")
}

// stampsOf gives the stamps of all files that a Past reads, in their order. They
// are but names where stamps prove nothing.
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

// isRead says whether a Past reads a file.
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

// namesOf is stampsOf where there are no stamps.
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

// A reading is the opening of a Past: it makes the loose volume.
type reading struct {
	*Past
	writer
	known                               map[string]int // parts of the kept volume, by the names of their files
	looseBytes, looseFiles, provenBytes int
	held                                int // bytes
}

// file takes up a file: what the kept volume has of it, and what that has not.
// One that cannot be read is left out.
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
			} else if r.tree.Settled(stamp) {
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

// MaxSearched is how large a file may be that is searched, in bytes. It is held in
// memory while it is read.
const MaxSearched = 128 << 20

// take adds what was read of a file to the loose volume.
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

// grown says whether a file still begins with the bytes of a part, which must
// end with a line where more follows, and gives what follows.
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
	// A mark that begins a file is not seen in the middle of one.
	return rest, err == nil && (len(rest) == 0 || end == '\n' && !bytes.HasPrefix(rest, bom) && !isFragment(stamp.Name))
}

// settle finds whose the parts of the volumes are, and leaves out those that are
// nobody's: so many texts.
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

// merged is both volumes as one to keep, without what counts no more.
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
		if f.stamp.Size == all.size && p.tree.Settled(f.stamp) {
			all.stamp = f.stamp
		}
		v.parts = append(v.parts, all)
	}
	return v.appendKept(nil, func(b []byte) []byte {
		return relevance.AppendMerged(b, v.texts(), sources[kept], sources[loose])
	})
}
