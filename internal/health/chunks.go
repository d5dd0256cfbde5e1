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

// ColdChunks counts the chunks in cold storage, a line each, as it will be once
// what is staged is written; staged may be nil. What cannot be read, and a file of
// more than 512 MiB, counts as none: `forgemind cold-storage verify` tells of it.
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

// countLines counts the lines that are not blank.
func countLines(r io.Reader) (n int) {
	blank := true // the line so far
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

// Line is what the log of health keeps of w at a time, with so many chunks in
// cold storage; false where nobody says how large the window is.
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

// Ratio is how full w is, from 0; 1 is full.
func (w *Window) Ratio() float64 { return float64(w.UsedTokens) / float64(w.TotalTokens) }

// Record adds a line to the log of health.
func Record(ctx context.Context, tree *fs.Tree, line schema.LogHealth, at time.Time) error {
	home := fs.Quaid
	if entry, err := tree.Look(fs.Forgemind); err == nil && entry.IsDir() {
		home = fs.Forgemind
	}
	_, err := tree.Transaction(ctx, func(tx *fs.Tx) error { return Log(tx, home, fs.HealthLog, line, at) })
	return err
}
