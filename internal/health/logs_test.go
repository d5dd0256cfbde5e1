package health_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/schema"
)

const (
	forge = fs.Forgemind + "/"
	quaid = fs.Quaid + "/"
)

// drop returns a line of the log of drops.
func drop(at, chunk string) string {
	return fmt.Sprintf(`{"timestamp": %q, "event": "drop", "chunk_id": %q, "relevance_score": 0.25}`, at, chunk)
}

func chunks(t *testing.T, r fs.Reader, since time.Time) (ids string, logs health.Logs) {
	t.Helper()
	logs, err := health.ReadLogs(r, since)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range logs.Drops {
		all = append(all, d.ChunkID)
	}
	return strings.Join(all, " "), logs
}

func TestLogsAreReadInTheOrderOfTimeRotatedOnesToo(t *testing.T) {
	tree := shelf{
		forge + "logs/context/2026-03-01T10-00-00.000Z-drops.jsonl": drop("2026-03-01T08:00:00Z", "b") + "\n" + drop("2026-03-01T09:00:00Z", "c"),
		forge + "logs/context/2026-02-01T10-00-00.000Z-drops.jsonl": drop("2026-02-01T08:00:00Z", "a") + "\n",
		forge + fs.DropLog: drop("2026-03-01T11:00:00.000Z", "e") + "\r\n\n" + drop("2026-03-01T12:00:00+01:00", "f") + "\n",
		quaid + fs.DropLog: drop("2026-03-01T10:00:00Z", "d") + "\n" + drop("2026-03-01T11:00:00Z", "g"),
		// These files are not logs.
		forge + "logs/context/mine-drops.jsonl":                       drop("2026-03-01T08:00:00Z", "x"),
		forge + "logs/context/2026-13-01T10-00-00.000Z-drops.jsonl":   drop("2026-03-01T08:00:00Z", "x"),
		forge + "logs/context/2026-02-01T10-00-00.000Z-other.jsonl":   drop("2026-03-01T08:00:00Z", "x"),
		forge + "logs/context/2026-02-01T10-00-00.000Z-drops.jsonl.1": drop("2026-03-01T08:00:00Z", "x"),
		forge + fs.HealthLog: `{"timestamp": "2026-03-01T08:00:00Z", "current_tokens": 45000, "limit": 100000, "pct_used": 0.45}`,
	}
	got, logs := chunks(t, tree, time.Time{})
	if got != "a b c d e f g" || len(logs.Faults) > 0 {
		t.Errorf("%s, faults %v", got, logs.Faults)
	}
	if len(logs.Health) != 1 || logs.Health[0].CurrentTokens != 45000 || logs.Health[0].PctUsed != 0.45 {
		t.Errorf("%+v", logs.Health)
	}
	if got, _ := chunks(t, tree, time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)); got != "d e f g" {
		t.Errorf("from ten on: %s", got)
	}
}

func TestATreeWithoutLogsHasNone(t *testing.T) {
	if got, logs := chunks(t, shelf{}, time.Time{}); got != "" || len(logs.Faults) > 0 {
		t.Errorf("%+v", logs)
	}
}

func TestALineThatIsNoneIsAFaultAndHidesNoOther(t *testing.T) {
	name := forge + fs.DropLog
	got, logs := chunks(t, shelf{
		name: strings.Join([]string{
			drop("2026-03-01T08:00:00Z", "a"), `<<<<<<< HEAD`, `["b"]`, drop("yesterday", "b"), `{"chunk_id": "b"}`,
			"\x00\x00", drop("2026-03-01T09:00:00Z", "c"), `{"timestamp": "2026-03-01T09:00:00Z", "chunk_id": "t`,
		}, "\n"),
	}, time.Time{})
	if got != "a c" {
		t.Error(got)
	}
	var lines []int
	for _, f := range logs.Faults {
		lines = append(lines, f.Line)
		if f.Name != name || f.Msg == "" {
			t.Errorf("%+v", f)
		}
	}
	if want := []int{2, 3, 4, 5, 6, 8}; !slices.Equal(lines, want) {
		t.Errorf("faults in lines %v, want %v", lines, want)
	}
	_, logs = chunks(t, shelf{name: strings.Repeat("{\n", 1000)}, time.Time{})
	if n := len(logs.Faults); n != 100 || !strings.HasSuffix(logs.Faults[99].Msg, "; and 900 more") {
		t.Errorf("%d faults, the last: %+v", n, logs.Faults[n-1])
	}
}

func TestALogThatIsAFolderIsAFault(t *testing.T) {
	tree := onDisk(t)
	for _, log := range []string{fs.DropLog, fs.CompactionLog} {
		if err := os.MkdirAll(filepath.Join(tree.Root(), forge+log), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, tree, forge+fs.RecoveryLog, `{"timestamp": "2026-03-01T08:00:00Z", "chunk_id": "a"}`)
	_, logs := chunks(t, tree, time.Time{})
	if len(logs.Faults) != 2 || len(logs.Recoveries) != 1 {
		t.Errorf("%+v", logs)
	}
}

// Only the end of a log that another program made large is read, and the lines keep
// their numbers.
func TestOfAHugeLogTheEndIsRead(t *testing.T) {
	tree := onDisk(t)
	line := drop("2026-03-01T08:00:00Z", "a"+strings.Repeat("0", 1000)) + "\n"
	lines := 70<<20/len(line) + 1
	put(t, tree, forge+fs.DropLog, strings.Repeat(line, lines)+"{\n"+drop("2026-03-01T09:00:00Z", "last")+"\n")
	_, logs := chunks(t, tree, time.Time{})
	if n := len(logs.Drops); n >= lines || n < 60<<20/len(line) || logs.Drops[n-1].ChunkID != "last" {
		t.Errorf("%d of %d lines", n, lines)
	}
	if f := logs.Faults; len(f) != 2 || f[0].Line != 0 || f[1].Line != lines+1 ||
		f[0].Msg != fmt.Sprintf("of this log only the last 64 MiB are read; %d lines are not", lines-len(logs.Drops)+1) {
		t.Errorf("%+v, %d lines, %d read", f, lines, len(logs.Drops))
	}
}

// A log of a terabyte is a fault, and no line is written to it. Neither takes long.
func TestALogOfATerabyte(t *testing.T) {
	tree := onDisk(t)
	put(t, tree, forge+fs.DropLog, "")
	if err := os.Truncate(filepath.Join(tree.Root(), forge+fs.DropLog), 1<<40); err != nil {
		t.Skip(err)
	}
	logs, err := health.ReadLogs(tree, time.Time{})
	if err != nil || len(logs.Faults) != 1 || !strings.Contains(logs.Faults[0].Msg, "1048576 MiB") {
		t.Errorf("%+v, %v", logs.Faults, err)
	}
	_, err = tree.Transaction(t.Context(), func(tx *fs.Tx) error {
		return health.Log(tx, fs.Forgemind, fs.DropLog, schema.LogDrop{}, time.Now())
	})
	if !errors.Is(err, fs.ErrTooLarge) {
		t.Errorf("a line was written: %v", err)
	}
}

// onDisk creates a tree on disk with the folder .forgemind.
func onDisk(t testing.TB) *fs.Tree {
	t.Helper()
	tree, err := fs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	if err := tree.Create(fs.Forgemind); err != nil {
		t.Fatal(err)
	}
	return tree
}

// put writes a file without package fs, with an older time.
func put(t testing.TB, tree *fs.Tree, name, text string) {
	t.Helper()
	path := filepath.Join(tree.Root(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	ago := time.Now().Add(-time.Minute)
	if err := os.Chtimes(path, ago, ago); err != nil {
		t.Fatal(err)
	}
}
