package health

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"math"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// ColdChunks returns the number of chunks in cold storage, one per line, after the
// staged changes; staged may be nil. Files that cannot be read, and files of more than
// 512 MiB, count as empty: `forgemind cold verify` reports them.
func ColdChunks(tree *fs.Tree, staged map[string][]byte) int {
	n := 0
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		for name, err := range tree.Names(folder + "/" + fs.ColdDir) {
			if _, ours := staged[name]; ours || err != nil || fs.Place(name) != fs.DocChunk {
				continue
			}
			if is, err := tree.Look(name); err != nil || is.Size() > maxLogSize {
				continue
			}
			if file, err := tree.Stream(name); err == nil {
				n += countLines(file)
				file.Close()
			}
		}
	}
	for name, text := range staged {
		if fs.Place(name) == fs.DocChunk {
			for range jsonedit.Lines(text) {
				n++
			}
		}
	}
	return n
}

// countLines returns the number of lines that are not blank.
func countLines(r io.Reader) (n int) {
	blank := true // the current line so far
	for lines := bufio.NewReaderSize(r, 1<<16); ; {
		piece, err := lines.ReadSlice('\n')
		blank = blank && len(bytes.TrimSpace(piece)) == 0
		if err == bufio.ErrBufferFull {
			continue
		}
		if !blank {
			n++
		}
		if blank = true; err != nil {
			return n
		}
	}
}

// Line returns the line of the health log for w at the time at, with the given number
// of chunks in cold storage. It returns false if the size of the window is unknown.
func (w *Window) Line(at time.Time, cold int) (schema.LogHealth, bool) {
	if w == nil || w.TotalTokens <= 0 {
		return schema.LogHealth{}, false
	}
	line := schema.LogHealth{
		Timestamp: schema.FormatTime(at), CurrentTokens: schema.Int(w.UsedTokens), Limit: schema.Int(w.TotalTokens),
		PctUsed: math.Round(1e4*w.Ratio()) / 1e4, MemcachedChunks: schema.Int(w.Chunks), ColdStorageChunks: schema.Int(cold),
	}
	if w.Next != nil {
		line.NextCompactionEstimate = schema.Int(w.Next.Tokens)
	}
	return line, true
}

// Ratio returns the used part of the window: 0 is empty, 1 is full.
func (w *Window) Ratio() float64 { return float64(w.UsedTokens) / float64(w.TotalTokens) }

// Record appends a line to the health log.
func Record(ctx context.Context, tree *fs.Tree, line schema.LogHealth, at time.Time) error {
	home := fs.Quaid
	if entry, err := tree.Look(fs.Forgemind); err == nil && entry.IsDir() {
		home = fs.Forgemind
	}
	_, err := tree.Transaction(ctx, func(tx *fs.Tx) error { return Log(tx, home, fs.HealthLog, line, at) })
	return err
}
