package session

import (
	"hash/crc32"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// ShelvedFile is where what is known of a long archive is kept in `.local/`.
const ShelvedFile = "archive.json"

// longArchive is how long an archive is that is not read at each message, in
// bytes.
const longArchive = 256 << 10

// A Shelved is what Told says of the beginning of an archive.
type Shelved struct {
	Session  string   `json:"session"`
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
	name := fs.LocalName(fs.Quaid, ShelvedFile)
	var s Shelved
	src, err := tx.Read(name)
	if err != nil || jsonedit.Decode(src, &s) != nil || s.Session != id || s.Size < 1 || s.Size > len(archive) ||
		archive[s.Size-1] != '\n' || crc32.ChecksumIEEE(archive[:s.Size]) != s.Sum {
		s = Shelved{Session: id}
	}
	if s.Size < len(archive) {
		n, more := Told(nil, archive[s.Size:])
		s.Messages, s.Agents = s.Messages+n, union(s.Agents, more)
		s.Size, s.Sum = len(archive), crc32.ChecksumIEEE(archive)
		text, err := jsonedit.Marshal(s)
		if err != nil {
			return 0, nil, err
		}
		tx.Jot(name, text)
	}
	messages, agents = Told(window, nil)
	return s.Messages + messages, union(slices.Clip(s.Agents), agents), nil
}
