package cold

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// maxFile is the largest size of a file of chunks, in bytes.
const maxFile = 1 << 30

// A chunkFile is one file of chunks with its index.
type chunkFile struct {
	*index
	tree *fs.Tree
	name string
}

// indexName returns the name of the index of a file of chunks.
func indexName(name string) string {
	home, _, _ := strings.Cut(name, "/")
	return fs.LocalName(home, "index", schema.DerivedID("cold-", []byte(name)))
}

// openChunkFiles opens all files of chunks. If anew is true, it builds their indexes again. It leaves out
// files that cannot be read; List reports them.
func openChunkFiles(tree *fs.Tree, anew bool) ([]chunkFile, error) {
	var all []chunkFile
	for _, home := range homes {
		sessions, err := tree.Entries(home + "/" + fs.ColdDir)
		if isMissing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		slices.SortFunc(sessions, func(a, b fs.Entry) int { return cmp.Compare(a.Name, b.Name) })
		for _, session := range sessions {
			if !session.Dir {
				continue
			}
			in, err := shelvesOf(tree, session.Name, anew)
			if err != nil {
				return nil, err
			}
			all = append(all, in...)
		}
	}
	return all, nil
}

// shelvesOf opens the files of one session.
func shelvesOf(tree *fs.Tree, dir string, anew bool) ([]chunkFile, error) {
	stamps, _, err := tree.Stamps(dir)
	believed := err == nil
	if errors.Is(err, errors.ErrUnsupported) {
		stamps, err = nil, nil
		for name, wrong := range tree.Names(dir) {
			if wrong == nil {
				stamps = append(stamps, fs.Stamp{Name: name})
			}
		}
	}
	if err != nil {
		return nil, err
	}
	var all []chunkFile
	for _, stamp := range stamps {
		if fs.Place(stamp.Name) != fs.DocChunk {
			continue
		}
		x, err := indexOf(tree, stamp, believed, anew)
		if isMissing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, chunkFile{x, tree, stamp.Name})
	}
	return all, nil
}

// indexOf returns the index of a file. It uses the index on disk if that has the same stamp.
// Otherwise it builds a new one and keeps it on disk if it can.
func indexOf(tree *fs.Tree, stamp fs.Stamp, believed, anew bool) (*index, error) {
	if stamp.Size > maxFile {
		return nil, fs.ErrTooLarge
	}
	at := indexName(stamp.Name)
	if believed && !anew {
		if src, err := tree.Read(at); err == nil {
			if x, ok := openIndex(stamp, src); ok {
				return x, nil
			}
		}
	}
	src, err := tree.Read(stamp.Name)
	if err != nil {
		return nil, err
	}
	unchanged := int64(len(src)) == stamp.Size
	stamp.Size = int64(len(src)) // the size that was read, in case the file grew
	made := buildIndex(stamp, src)
	if believed && unchanged && tree.IsSettled(stamp) {
		tree.WriteDerived(at, made) // on failure it is built again next time
	}
	x, ok := openIndex(stamp, made)
	if !ok { // more than 4 GiB of words
		return nil, fs.ErrTooLarge
	}
	return x, nil
}

// errStale means that a file does not hold what its index says.
var errStale = errors.New("it changes while it is searched")

// read reads chunks of the shelf, given in any order, and yields each with its place in that order.
// The error is errStale if the file does not hold what the index says.
func (s chunkFile) read(chunks []int, yield func(i int, c schema.Chunk)) error {
	f, err := s.tree.Stream(s.name)
	stale := fmt.Errorf("%s: %w", s.name, errStale)
	if errors.Is(err, iofs.ErrNotExist) {
		return stale
	}
	if err != nil {
		return err
	}
	defer f.Close()
	at, ok := f.(io.ReaderAt)
	if !ok {
		src, err := s.tree.Read(s.name)
		if err != nil {
			return err
		}
		at = bytes.NewReader(src)
	}
	var buf []byte
	for i, chunk := range chunks {
		e := s.entry(chunk)
		buf = append(buf[:0], make([]byte, e.size)...)
		if n, err := at.ReadAt(buf, int64(e.offset)); n < len(buf) {
			if err == io.EOF {
				return stale
			}
			return err
		}
		c, err := decode(buf)
		if err != nil || c.ChunkID != s.id(chunk) {
			return stale
		}
		yield(i, c)
	}
	return nil
}
