package recall

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/relevance"
)

// keptHeading begins every stored volume; another format has another number. The heading is
// followed by the checksum of the rest, the number of parts and of texts, the parts (a name
// with its length before it, then ten numbers), an entry of 24 bytes for each text, and the
// index of their words. Numbers are little-endian and of 32 bits, those of parts of 64.
const keptHeading = "forgemind recall 4\n"

const checksumSize = 4

// appendKept appends the encoding of a volume; words appends the index of its words.
func (v *volume) appendKept(b []byte, words func([]byte) []byte) []byte {
	b = append(append(b, keptHeading...), make([]byte, checksumSize)...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(v.parts)))
	b = binary.LittleEndian.AppendUint32(b, uint32(v.texts()))
	for _, p := range v.parts {
		s := p.stamp
		b = binary.LittleEndian.AppendUint64(b, uint64(len(s.Name)))
		b = append(b, s.Name...)
		for _, n := range [...]uint64{
			uint64(s.Size), uint64(s.Written), uint64(s.Changed), s.Inode, s.Device,
			uint64(p.size), uint64(p.sum), uint64(p.last), uint64(p.end),
		} {
			b = binary.LittleEndian.AppendUint64(b, n)
		}
	}
	return sealed(words(append(b, v.entries...)))
}

// sealed writes the checksum of a volume into it.
func sealed(b []byte) []byte {
	binary.LittleEndian.PutUint32(b[len(keptHeading):], crc32.Checksum(b[len(keptHeading)+checksumSize:], castagnoli))
	return b
}

// openKept decodes the result of appendKept; false if src is anything else. The volume keeps
// src.
func openKept(src []byte) (*volume, bool) {
	start := len(keptHeading) + checksumSize
	if len(src) < start || string(src[:len(keptHeading)]) != keptHeading ||
		crc32.Checksum(src[start:], castagnoli) != binary.LittleEndian.Uint32(src[len(keptHeading):]) {
		return nil, false
	}
	s := scanner{rest: src[start:]}
	parts, texts := int(s.uint32()), int(s.uint32())
	v := &volume{}
	for range parts {
		p := part{stamp: fs.Stamp{
			Name: string(s.take(s.uint64())), Size: int64(s.uint64()), Written: int64(s.uint64()), Changed: int64(s.uint64()),
			Inode: s.uint64(), Device: s.uint64(),
		}}
		p.size, p.sum, p.last, p.end = int64(s.uint64()), uint32(s.uint64()), int64(s.uint64()), int(s.uint64())
		if n := len(v.parts); n > 0 {
			before := v.parts[n-1]
			p.first = before.end
			s.bad = s.bad || order(before.stamp.Name, p.stamp.Name) >= 0
		}
		if s.bad || p.size < 0 || p.end < p.first || p.end > texts {
			return nil, false
		}
		v.parts = append(v.parts, p)
	}
	v.entries = s.take(uint64(texts) * entrySize)
	if s.bad || parts == 0 && texts > 0 || parts > 0 && v.parts[parts-1].end != texts {
		return nil, false
	}
	var err error
	v.words, err = relevance.Open(s.rest)
	return v, err == nil && v.words.Texts() == texts
}

// A scanner reads values from the front of bytes; bad reports that one was missing.
type scanner struct {
	rest []byte
	bad  bool
}

func (s *scanner) take(n uint64) []byte {
	if s.bad || n > uint64(len(s.rest)) {
		s.bad, s.rest = true, nil
		return nil
	}
	front := s.rest[:n:n]
	s.rest = s.rest[n:]
	return front
}

func (s *scanner) uint32() uint32 {
	if b := s.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (s *scanner) uint64() uint64 {
	if b := s.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}
