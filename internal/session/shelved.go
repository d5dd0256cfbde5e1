package session

import (
	"hash/crc32"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// ShelvedFile is the name in `.local/` of the file with the counts for a long archive.
const ShelvedFile = "archive.json"

// longArchive is the length from which an archive is not read with each message, in bytes.
const longArchive = 256 << 10

// An ArchiveCount holds the result of CountMessages for the beginning of an archive.
type ArchiveCount struct {
	Session  string   `json:"session"`
	Size     int      `json:"size"` // bytes
	Sum      uint32   `json:"sum"`  // CRC-32 of these bytes
	Messages int      `json:"messages"`
	Agents   []string `json:"agents"`
}

// CountMessagesCached is like CountMessages for session id. Of a long archive it reads only
// what was added since the last call, as long as the beginning is unchanged.
func CountMessagesCached(tx *fs.Tx, id string, window, archive []byte) (messages int, agents []string, err error) {
	if len(archive) < longArchive {
		messages, agents = CountMessages(window, archive)
		return messages, agents, nil
	}
	name := fs.LocalName(fs.Quaid, ShelvedFile)
	var s ArchiveCount
	src, err := tx.Read(name)
	if err != nil || jsonedit.Decode(src, &s) != nil || s.Session != id || s.Size < 1 || s.Size > len(archive) ||
		archive[s.Size-1] != '\n' || crc32.ChecksumIEEE(archive[:s.Size]) != s.Sum {
		s = ArchiveCount{Session: id}
	}
	if s.Size < len(archive) {
		n, more := CountMessages(nil, archive[s.Size:])
		s.Messages, s.Agents = s.Messages+n, union(s.Agents, more)
		s.Size, s.Sum = len(archive), crc32.ChecksumIEEE(archive)
		text, err := jsonedit.Marshal(s)
		if err != nil {
			return 0, nil, err
		}
		tx.WriteLocal(name, text)
	}
	messages, agents = CountMessages(window, nil)
	return s.Messages + messages, union(slices.Clip(s.Agents), agents), nil
}
