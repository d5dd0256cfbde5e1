package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// vectorHeading begins every file of vectors; another format has another number. The
// heading is followed by the checksum of the rest, the number of dimensions (32 bits
// each) and the entries: the SHA-256 of name and text, and the vector's numbers of 32
// bits. A text that has no vector has the hash of one with all numbers 0. Everything is
// little-endian. The oldest entries come first.
const vectorHeading = "forgemind vectors 1\n"

const (
	maxVectors  = 96 << 20 // bytes of a file; the oldest entries are removed
	vectorBatch = 256      // texts per request; the vectors of each are stored at once
)

// A sum is the hash of a text and of the name of its Embedder.
type sum [sha256.Size]byte

// vectorFile holds the stored vectors of one Embedder in a tree, so that no text is
// sent twice.
type vectorFile struct {
	tree  *fs.Tree
	name  string
	file  string // "" if vectors cannot be stored
	dims  int
	order []sum
	by    map[sum][]float32
}

// readVectors reads the stored vectors of a tree; none if the file is missing or
// damaged.
func readVectors(tree *fs.Tree, name string) *vectorFile {
	v := &vectorFile{tree: tree, name: name, by: map[sum][]float32{}}
	home, err := Home(tree)
	if err != nil {
		return v
	}
	v.file = fs.LocalName(home, "index", schema.DerivedID("vectors-", []byte(name)))
	if src, err := tree.Read(v.file); err == nil {
		v.decode(src)
	}
	return v
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (v *vectorFile) decode(src []byte) {
	const head = len(vectorHeading) + 8
	if len(src) < head || string(src[:len(vectorHeading)]) != vectorHeading ||
		crc32.Checksum(src[head-4:], castagnoli) != binary.LittleEndian.Uint32(src[head-8:]) {
		return
	}
	dims := int(binary.LittleEndian.Uint32(src[head-4:]))
	size := sha256.Size + 4*dims
	if dims < 1 || dims > 1<<16 || (len(src)-head)%size != 0 {
		return
	}
	v.dims = dims
	for rest := src[head:]; len(rest) > 0; rest = rest[size:] {
		vector, some := make([]float32, dims), false
		for i := range vector {
			vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(rest[sha256.Size+4*i:]))
			some = some || vector[i] != 0
		}
		if !some {
			vector = nil
		}
		v.put(sum(rest[:sha256.Size]), vector)
	}
}

func (v *vectorFile) encode() []byte {
	size := sha256.Size + 4*v.dims
	from := max(0, len(v.order)-maxVectors/size)
	out := append([]byte(vectorHeading), 0, 0, 0, 0)
	out = binary.LittleEndian.AppendUint32(out, uint32(v.dims))
	for _, s := range v.order[from:] {
		out = append(out, s[:]...)
		vector := v.by[s]
		if vector == nil {
			vector = make([]float32, v.dims)
		}
		for _, x := range vector {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	sealed := out[len(vectorHeading)+4:]
	binary.LittleEndian.PutUint32(out[len(vectorHeading):], crc32.Checksum(sealed, castagnoli))
	return out
}

func (v *vectorFile) put(s sum, vector []float32) {
	if _, ok := v.by[s]; !ok {
		v.order = append(v.order, s)
	}
	v.by[s] = vector
}

// forget drops all stored vectors: another model has the same name.
func (v *vectorFile) forget() {
	v.dims, v.order, v.by = 0, nil, map[sum][]float32{}
	if v.file != "" {
		v.tree.WriteDerived(v.file, nil)
	}
}

func (v *vectorFile) sumOf(text string) sum { return sha256.Sum256([]byte(v.name + "\x00" + text)) }

// of returns the vectors of texts, and the texts without one, each once.
func (v *vectorFile) of(texts []string) (all [][]float32, lacks []string) {
	all = make([][]float32, len(texts))
	lacking := map[sum]bool{}
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		s := v.sumOf(text)
		vector, ok := v.by[s]
		if !ok && !lacking[s] {
			lacking[s] = true
			lacks = append(lacks, text)
		}
		all[i] = vector
	}
	return all, lacks
}

// fill requests the vectors of texts and stores those that it gets, even if a later
// request fails.
func (v *vectorFile) fill(ctx context.Context, by Embedder, texts []string) error {
	for len(texts) > 0 {
		batch := texts[:min(vectorBatch, len(texts))]
		sent := make([]string, len(batch))
		for i, text := range batch { // a prompt is not masked yet
			sent[i], _ = secret.Mask(text)
		}
		got, err := by.Embed(ctx, sent)
		if err == nil && len(got) != len(batch) {
			err = fmt.Errorf("%d vectors for %d texts", len(got), len(batch))
		}
		if err != nil {
			return err
		}
		for i, vector := range got {
			if v.dims == 0 {
				v.dims = len(vector)
			}
			if had := v.dims; vector != nil && len(vector) != had {
				v.forget() // so that the next request is not refused as well
				return fmt.Errorf("a vector of %d dimensions, those before have %d", len(vector), had)
			}
			v.put(v.sumOf(batch[i]), vector)
		}
		if v.file != "" && v.dims > 0 {
			v.tree.WriteDerived(v.file, v.encode()) // an error is ignored: the vectors are requested again
		}
		texts = texts[len(batch):]
	}
	return nil
}
