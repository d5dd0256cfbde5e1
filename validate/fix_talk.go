package validate

import (
	"bytes"
	"fmt"
	"hash/maphash"

	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// joinSides resolves a merge of JSONL: every line of either side stays. Lines that are
// not records are left to people.
func (m *mender) joinSides() {
	if !hasMarker(m.src) {
		return
	}
	ours, theirs, ok := git.Sides(m.src)
	if !ok || !isLines(ours) || !isLines(theirs) {
		return
	}
	var out []byte
	begin, conflicts := 0, 0
	git.SideBySide(m.src, func(line []byte, side git.Side) {
		if side == git.Marker && line[0] == '<' {
			if conflicts++; conflicts == 1 {
				begin = len(out)
			}
		}
		if side == git.Both || side == git.Ours || side == git.Theirs {
			out = append(out, line...)
			if out[len(out)-1] != '\n' {
				out = append(out, '\n')
			}
		}
	})
	m.src = out
	m.did(conflictMarker, "", begin, fmt.Sprintf("kept the lines of both sides of %s", counted(conflicts, "conflict", "conflicts")))
}

// isLines reports whether every line of src that is not blank is a JSON object.
func isLines(src []byte) bool {
	var doc jsonedit.Doc
	for line := range bytes.Lines(src) {
		if len(bytes.TrimSpace(line)) > 0 && (doc.Parse(line) != nil || doc.Nodes[0].Kind != jsonedit.Object) {
			return false
		}
	}
	return true
}

// dropRepeated removes messages that repeat an earlier one of the conversation byte for
// byte. A compaction identifies its conversation by its bytes, and must be able to
// restore it, so nothing is removed after one.
func (m *mender) dropRepeated() {
	kept, dropped, first := withoutRepeated(m.src, map[uint64][][]byte{})
	if dropped == 0 || compacted(m.src) {
		return
	}
	m.src = kept
	m.did(duplicateMessage, "", first, "removed "+counted(dropped, "message that is", "messages that are")+" here already, byte for byte")
}

// withoutRepeated returns src without messages that repeat earlier ones, or those in
// seen, byte for byte. It returns the number of removed messages and the offset of the
// first.
func withoutRepeated(src []byte, seen map[uint64][][]byte) (kept []byte, dropped, first int) {
	kept = src
	offset := 0
	for line := range bytes.Lines(src) {
		record := bytes.TrimRight(line, "\r\n")
		hash := maphash.Bytes(idSeed, record)
		if among(seen[hash], record) && isMessage(record) {
			if dropped++; dropped == 1 {
				kept, first = bytes.Clone(src[:offset]), offset
			}
		} else {
			seen[hash] = append(seen[hash], record)
			if dropped > 0 {
				kept = append(kept, line...)
			}
		}
		offset += len(line)
	}
	return kept, dropped, first
}

func among(list [][]byte, record []byte) bool {
	for _, other := range list {
		if bytes.Equal(other, record) {
			return true
		}
	}
	return false
}

// isMessage reports whether a line is a message with an id.
func isMessage(line []byte) bool {
	doc, err := jsonedit.Parse(line)
	if err != nil || doc.Nodes[0].Kind != jsonedit.Object {
		return false
	}
	for _, name := range []string{"msg_id", "id"} {
		if id, _ := doc.Str(doc.Member(0, name)); id != "" {
			return true
		}
	}
	return false
}

// compacted reports whether a compaction removed messages from a conversation.
func compacted(src []byte) bool {
	var doc jsonedit.Doc
	for line := range bytes.Lines(src) {
		if bytes.Contains(line, []byte(`"compaction"`)) && doc.Parse(line) == nil && doc.Find("/metadata/compaction") >= 0 {
			return true
		}
	}
	return false
}
