package hook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"

	"github.com/forgemind/forgemind/internal/transcript"
)

// longHistory is the size of the end of a transcript that is searched for a summary.
const longHistory = 8 << 20 // bytes

// compressed notes in m that the Gemini CLI compressed its window by itself, and
// returns what is to be remembered of it; nil where it did not. No event tells it: the
// summary in the transcript does.
func (r *running) compressed(m *memory) func(*memory) {
	if r.call.Agent != "gemini" || r.at != prompted && r.at != begins {
		return nil
	}
	stamp := lastSummary(m.Transcript)
	if stamp == "" || stamp == m.Snapshot {
		return nil
	}
	note := func(m *memory) {
		m.Snapshot = stamp
		r.lost(m)
	}
	note(m)
	return note
}

// lastSummary stands for the last summary of a compaction in a transcript of the Gemini
// CLI; "" for none, and where it cannot be read.
func lastSummary(file string) string {
	if !filepath.IsAbs(file) {
		return ""
	}
	t, ok, err := openTranscript(file)
	if err != nil || !ok {
		return ""
	}
	defer t.close()
	from := max(0, t.size-longHistory)
	if _, err := t.Seek(from, io.SeekStart); err != nil {
		return ""
	}
	src, err := io.ReadAll(io.LimitReader(t, longHistory))
	if err != nil || !bytes.Contains(src, []byte("<state_snapshot>")) {
		return ""
	}
	if from > 0 {
		src = src[bytes.IndexByte(src, '\n')+1:]
	}
	im, err := transcript.ReadOf("gemini-cli", src)
	if err != nil {
		return ""
	}
	stamp := ""
	for _, said := range im.Messages {
		if said.Kind == "summary" {
			sum := sha256.Sum256([]byte(said.Content))
			stamp = hex.EncodeToString(sum[:8])
		}
	}
	return stamp
}
