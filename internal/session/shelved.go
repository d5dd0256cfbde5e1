package session

import (
	"hash/crc32"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

// longArchive is how long an archive is that is not read at each message, in
// bytes.
const longArchive = 256 << 10

// A Shelved is what Told says of the beginning of an archive.
type Shelved struct {
	Size     int      `json:"size"` // bytes
	Sum      uint32   `json:"sum"`  // of them, CRC-32
	Messages int      `json:"messages"`
	Agents   []string `json:"agents"`
}

// ToldKept is Told of session id. Of a long archive it reads what was added since
// it was asked last, as long as what stood there before is the same.
func ToldKept(tx *fs.Tx, id string, window, archive []byte) (messages int, agents []string, err error) {
	if len(archive) < longArchive {
		messages, agents = Told(window, archive)
		return messages, agents, nil
	}
	t := keptTally(tx, Window(id))
	var s Shelved
	if k := t.Archive; k != nil && k.Size >= 1 && k.Size <= len(archive) && archive[k.Size-1] == '\n' && crc32.ChecksumIEEE(archive[:k.Size]) == k.Sum {
		s = *k
	}
	if s.Size < len(archive) {
		n, more := Told(nil, archive[s.Size:])
		s.Messages, s.Agents = s.Messages+n, union(s.Agents, more)
		s.Size, s.Sum = len(archive), crc32.ChecksumIEEE(archive)
		t.Archive = &s
		if err := t.Keep(tx); err != nil {
			return 0, nil, err
		}
	}
	messages, agents = Told(window, nil)
	return s.Messages + messages, union(slices.Clip(s.Agents), agents), nil
}
