package health_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// writerEnv makes a process of this test binary a writer of logs.
const writerEnv = "HEALTH_TEST_WRITER"

const (
	writers = 3
	written = 60 // lines of each
)

func TestMain(m *testing.M) {
	if root := os.Getenv(writerEnv); root != "" {
		if err := writeLogs(root, os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// writeLogs is what a writer does: lines that are told apart.
func writeLogs(root, who string) error {
	tree, err := fs.Open(root)
	if err != nil {
		return err
	}
	defer tree.Close()
	tree.LockTimeout, tree.HolderTimeout = time.Minute, time.Minute
	for i := range written {
		if err := logLine(tree, noon, schema.LogDrop{Timestamp: schema.FormatTime(noon), Event: "drop", ChunkID: fmt.Sprintf("%s-%d", who, i)}); err != nil {
			return err
		}
	}
	return nil
}

// logLine logs one drop.
func logLine(tree *fs.Tree, at time.Time, line any) error {
	_, err := tree.Transaction(context.Background(), func(tx *fs.Tx) error {
		return health.Log(tx, fs.Forgemind, fs.DropLog, line, at)
	})
	return err
}

// Processes that log at once, over a rotation, lose and repeat nothing.
func TestProcessesThatLogAtOnceLoseNothing(t *testing.T) {
	tree := onDisk(t)
	fill := full(written * writers / 2 * 130)
	put(t, tree, forge+fs.DropLog, fill)
	var all []*exec.Cmd
	for i := range writers {
		cmd := exec.Command(os.Args[0], fmt.Sprint("w", i))
		cmd.Env = append(os.Environ(), writerEnv+"="+tree.Root())
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	_, logs := chunks(t, tree, noon)
	seen := map[string]int{}
	for _, d := range logs.Drops {
		seen[d.ChunkID]++
	}
	for i := range writers {
		for j := range written {
			if id := fmt.Sprintf("w%d-%d", i, j); seen[id] != 1 {
				t.Errorf("%s was logged %d times", id, seen[id])
			}
		}
	}
	if len(logs.Faults) > 0 {
		t.Error(logs.Faults)
	}
	if files := rotated(t, tree); len(files) != 1 {
		t.Errorf("rotated: %v", files)
	}
}

// full is the text of a log that has so many bytes left until it is rotated.
func full(left int) string {
	line := drop("2026-03-01T08:00:00Z", "old"+strings.Repeat("0", 4000)) + "\n"
	return strings.Repeat(line, (health.MaxLog-left)/len(line))
}

// rotated are the rotated logs of drops, oldest first.
func rotated(t *testing.T, tree *fs.Tree) (names []string) {
	t.Helper()
	for name, err := range tree.Names(forge + fs.LogsDir) {
		if err != nil {
			t.Fatal(err)
		}
		if _, _, ok := fs.Rotated(name); ok {
			names = append(names, name)
		}
	}
	return names
}

func TestALogThatWouldPassTheLimitIsRotatedByteForByte(t *testing.T) {
	tree := onDisk(t)
	tree.Check = validate.Gate
	old := full(0) + "<<<<<<< HEAD\n" // with a fault, which is not this write's
	old += drop("2026-03-01T08:00:00Z", strings.Repeat("a", health.MaxLog-len(old)-len(drop("2026-03-01T08:00:00Z", ""))-1)) + "\n"
	put(t, tree, forge+fs.DropLog, old)
	if err := logLine(tree, noon, schema.LogDrop{Timestamp: schema.FormatTime(noon), Event: "drop", ChunkID: "new"}); err != nil {
		t.Fatal(err)
	}
	names := rotated(t, tree)
	if len(names) != 1 || names[0] != forge+"logs/context/2026-03-02T12-00-00.000Z-drops.jsonl" || fs.Place(names[0]) != fs.DocLogDrops {
		t.Fatal(names)
	}
	if got, err := tree.Read(names[0]); err != nil || string(got) != old {
		t.Errorf("%d bytes of %d, %v", len(got), len(old), err)
	}
	got, err := tree.Read(forge + fs.DropLog)
	if err != nil || strings.Count(string(got), "\n") != 1 || !strings.Contains(string(got), `"new"`) {
		t.Errorf("%q, %v", got, err)
	}
	found := validate.Files(tree, []string{names[0]}, validate.Options{}).Findings
	if len(found) != 1 || found[0].Rule != "conflict-marker" && found[0].Rule != "jsonl-line" {
		t.Errorf("validate: %v", found)
	}
}

func TestALogBelowTheLimitIsNotRotated(t *testing.T) {
	tree := onDisk(t)
	line := schema.LogDrop{Timestamp: schema.FormatTime(noon), Event: "drop", ChunkID: "new"}
	if err := logLine(tree, noon, line); err != nil {
		t.Fatal(err)
	}
	one, err := tree.Read(forge + fs.DropLog)
	if err != nil {
		t.Fatal(err)
	}
	text := full(len(one))
	text += strings.Repeat("\n", health.MaxLog-len(text)-len(one)) // it ends at the limit
	put(t, tree, forge+fs.DropLog, text)
	if err := logLine(tree, noon, line); err != nil {
		t.Fatal(err)
	}
	if got, _ := tree.Read(forge + fs.DropLog); len(rotated(t, tree)) > 0 || len(got) != health.MaxLog {
		t.Errorf("rotated at %d of %d bytes", len(text), health.MaxLog)
	}
}

// Ten are kept; the oldest goes to trash. Those of one moment, and of a clock
// that goes back, stay in the order in which they were written.
func TestTheOldestRotatedLogGoesToTrash(t *testing.T) {
	tree := onDisk(t)
	at := noon
	for i := range health.KeptLogs + 2 {
		put(t, tree, forge+fs.DropLog, full(0)+strings.Repeat(" ", 4000)+drop("2026-03-01T08:00:00Z", fmt.Sprint("chunk-", i))+"\n")
		if err := logLine(tree, at, schema.LogDrop{Timestamp: schema.FormatTime(noon), ChunkID: "new"}); err != nil {
			t.Fatal(err)
		}
		if i == 5 {
			at = at.Add(-time.Hour)
		}
	}
	names := rotated(t, tree)
	if len(names) != health.KeptLogs {
		t.Fatal(names)
	}
	for i, name := range names {
		if text, err := tree.Read(name); err != nil || !strings.Contains(string(text), fmt.Sprintf(`"chunk-%d"`, i+2)) {
			t.Errorf("%s is not number %d, %v", name, i+2, err)
		}
	}
	entries, err := os.ReadDir(tree.Root() + "/" + fs.LocalName(fs.Forgemind, "trash"))
	if err != nil || len(entries) != 2 {
		t.Errorf("trash: %v, %v", entries, err)
	}
}

// A torn tail is not glued to what follows; it is passed over, and kept.
func TestATornTailIsMendedWhenALineFollows(t *testing.T) {
	tree := onDisk(t)
	put(t, tree, forge+fs.DropLog, drop("2026-03-01T08:00:00Z", "a")+"\n"+`{"timestamp": "2026-03-01T0`)
	if err := logLine(tree, noon, schema.LogDrop{Timestamp: schema.FormatTime(noon), ChunkID: "b"}); err != nil {
		t.Fatal(err)
	}
	if got, logs := chunks(t, tree, time.Time{}); got != "a b" || len(logs.Faults) > 0 {
		t.Errorf("%s, %v", got, logs.Faults)
	}
	put, err := tree.Incidents()
	if err != nil || len(put) != 1 {
		t.Fatalf("%v, %v", put, err)
	}
	if kept, err := tree.Read(put[0].Kept); err != nil || string(kept) != `{"timestamp": "2026-03-01T0` {
		t.Errorf("kept: %q, %v", kept, err)
	}
}

func TestAPromptIsLoggedShortAndWithoutSecrets(t *testing.T) {
	tree := onDisk(t)
	secret := "AKIAIOSFODNN7EXAMPLE"
	for _, line := range []any{
		schema.LogRecovery{Timestamp: schema.FormatTime(noon), ChunkID: "a", Prompt: secret + "\xff" + strings.Repeat(" word", 1<<20)},
		schema.LogCuration{Timestamp: schema.FormatTime(noon), Query: secret + strings.Repeat("\x00", 1<<20)},
	} {
		if err := logLine(tree, noon, line); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := tree.Read(forge + fs.DropLog)
	if len(got) > 20_000 || strings.Contains(string(got), secret) || strings.Count(string(got), "\n") != 2 {
		t.Errorf("%d bytes: %.100s", len(got), got)
	}
}

func TestWhatStandsInTheWayOfALogIsAnError(t *testing.T) {
	tree := onDisk(t)
	if err := os.MkdirAll(tree.Root()+"/"+forge+fs.DropLog, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := logLine(tree, noon, schema.LogDrop{ChunkID: "a"}); !errors.Is(err, fs.ErrIrregular) {
		t.Error(err)
	}
}
