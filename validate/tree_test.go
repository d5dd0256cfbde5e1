package validate

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

// onDisk writes a tree into a temporary directory and opens it.
func onDisk(t testing.TB, p pages) *fs.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, text := range p {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}

// TestFilesAndFoldersEachAtTheirPlace: what stands where the other kind should be
// hides a document, or all of a folder.
func TestFilesAndFoldersEachAtTheirPlace(t *testing.T) {
	tree := onDisk(t, pages{
		fs.State + "/x/y.json": "{}", ".forgemind/decisions": "no folder", ".forgemind/logs/context": "", ".forgemind/context/notes": "any name",
	})
	for _, dir := range []string{fs.Config, fs.CacheIndex, fs.Messages, fs.Clarifications, fs.ActiveSession, fs.SessionIndex, fs.QuaidConfig, ".forgemind/memory/any.json"} {
		if err := os.MkdirAll(filepath.Join(tree.Root(), filepath.FromSlash(dir)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const (
		directory = ":1:1: error: a directory stands where the document should be [irregular-file]"
		file      = ":1:1: error: a file stands where a folder should be, so nothing can stand in it [irregular-file]"
	)
	expect(t, "exchanged", judgeTree(t, tree),
		fs.CacheIndex+directory, fs.Config+directory, fs.Clarifications+directory, fs.State+directory, fs.Messages+directory,
		".forgemind/decisions"+file, ".forgemind/logs/context"+file,
		fs.QuaidConfig+directory, fs.ActiveSession+directory, fs.SessionIndex+directory)
	expect(t, "switched off", judgeTree(t, onDisk(t, pages{
		fs.QuaidConfig: `{"validation": {"severity": {"irregular-file": "off"}}}`, fs.State + "/x": "", ".forgemind/decisions": "",
	})))
	expect(t, "in a revision", judgeTree(t, pages{".forgemind/decisions": "no folder"}), ".forgemind/decisions"+file)
}

// TestOneFaultIsOneFinding: what is behind a folder that is none is not looked at.
func TestOneFaultIsOneFinding(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	const irregular = ":1:1: error: not a plain file of its own: a link, a second name of another file, a FIFO or a device [irregular-file]"
	for link, elsewhere := range map[string]string{".forgemind": "a/context/current-context.json/x", ".forgemind/context": "a/current-context.json/x"} {
		tree := onDisk(t, pages{elsewhere: "", fs.QuaidConfig: "{}", ".forgemind.txt": ""})
		to := filepath.Join(tree.Root(), filepath.FromSlash(link))
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Symlink(strings.Repeat("../", strings.Count(link, "/"))+"a", to)); err != nil {
			t.Fatal(err)
		}
		expect(t, "a link", judgeTree(t, tree), link+irregular)
	}
	tree := onDisk(t, pages{".forgemind": "a file", fs.QuaidConfig: "{}"})
	expect(t, "a file", judgeTree(t, tree), ".forgemind:1:1: error: a file stands where a folder should be, so nothing can stand in it [irregular-file]")
}

func TestADocumentThatCantBeReadIsAFinding(t *testing.T) {
	r := failing{pages{fs.Config: "{}"}, fmt.Errorf("open %s: %w", fs.Config, iofs.ErrPermission)}
	expect(t, "no permission", judgeTree(t, r), `.forgemind/config.json:1:1: error: can't be read: open .forgemind/config.json: permission denied [irregular-file]`)
	expect(t, "gone since it was listed", judgeTree(t, failing{r.pages, iofs.ErrNotExist}))
}

// incidents is a tree with saves that are not live.
type incidents struct {
	pages
	list []fs.Incident
	err  error
}

func (i incidents) Incidents() ([]fs.Incident, error) { return i.list, i.err }

func TestDisplacedSavesAreFound(t *testing.T) {
	r := incidents{pages{fs.State: state}, []fs.Incident{{Name: fs.State, Kept: ".forgemind/.local/displaced/x", What: "somebody saved it meanwhile"}}, nil}
	expect(t, "one", judgeTree(t, r), `.forgemind/context/current-context.json:1:1: warning: somebody saved it meanwhile; the bytes are kept in .forgemind/.local/displaced/x [displaced-save]`)
	r.pages = r.with(fs.Config, `{"validation": {"severity": {"displaced-save": "off"}}}`)
	expect(t, "switched off", judgeTree(t, r))
	if got := judgeTree(t, incidents{pages{}, nil, errors.New("no")}); len(got) != 1 || got[0].Rule != "irregular-file" {
		t.Errorf("a list that can't be read: %s", text(got))
	}
}

// TestTheSameTreeGivesTheSameReport judges a tree of many faults by one goroutine
// and by several.
func TestTheSameTreeGivesTheSameReport(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	p := pages{fs.State: state, messages: record + "\n" + record + "\nno\n"}
	for i := range 400 {
		src := state
		for _, old := range []string{`"MODULE"`, `85}`, `"L1"`, `"P", `, `"due"`} {
			if random.Intn(3) == 0 {
				src = strings.Replace(src, old, fmt.Sprintf("%d", random.Intn(9)), 1)
			}
		}
		p[fmt.Sprintf("%s/s-%d.json", fs.History, i)] = src
		p[fmt.Sprintf(".forgemind/decisions/DEC-%d.json", i)] = strings.Replace(decision1, "DEC-001", fmt.Sprintf("DEC-%d", i/2), 1)
	}
	tree := onDisk(t, p)
	var first string
	for workers := range 5 {
		c := NewChecker(tree, Options{})
		c.workers = workers
		if err := c.CheckAll(); err != nil {
			t.Fatal(err)
		}
		r := c.Report()
		if workers == 0 {
			first = text(r.Findings)
		}
		if got := text(r.Findings); got != first || r.Files != len(p) || r.Errors < 500 {
			t.Errorf("%d goroutines: %d files, %d errors, or another order", workers, r.Files, r.Errors)
		}
	}
	if inMemory := text(judgeTree(t, p)); inMemory != first {
		t.Error("from memory it looks otherwise")
	}
}

func TestFilesAreJudgedEachByItself(t *testing.T) {
	tree := onDisk(t, pages{"a/state.json": strings.Replace(state, "MODULE", "CODE", 1), "a/log.jsonl": record + "\nno\n", "a/other.json": "{}"})
	var last, calls int
	r := Files(tree, []string{"a/state.json", "a/log.jsonl", "a/other.json", "a/gone.json"}, Options{Progress: func(done, total int) { last, calls = total-done, calls+1 }})
	got := slices.DeleteFunc(r.Findings, func(f Finding) bool { return f.Rule == "irregular-file" })
	expect(t, "files", got,
		`a/log.jsonl:2:1: error: the line is not one JSON object: expected a value, found "no": JSON writes false [jsonl-line]`,
		`a/state.json:5:62: error: Layer mismatch: 1 != CODE (layer 1 is MODULE) [layer-mismatch]`)
	if r.Files != 4 || r.Errors != 3 || last != 0 || calls == 0 {
		t.Errorf("%+v, %d left, %d calls", r, last, calls)
	}
}

// TestAGoodDocumentCostsNoMemory: ten thousand of them must not either.
func TestAGoodDocumentCostsNoMemory(t *testing.T) {
	src := []byte(change(t, example(t), `"used_tokens": 70000,`, `"used_tokens": 70000, "other_tokens": {"messages": 59500},`))
	j := newJudge(newSeverities())
	judge := func() {
		if found := j.one(history, fs.DocSnapshot, false, src); len(found) > 0 {
			t.Fatal(text(found))
		}
	}
	judge()
	if n := testing.AllocsPerRun(20, judge); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func benchmarkState(b *testing.B) []byte {
	src := strings.Replace(example(b), `"used_tokens": 70000,`, `"used_tokens": 70000, "other_tokens": {"messages": 59500},`, 1)
	return []byte(src)
}

// BenchmarkJudge judges the document's own State, in memory.
func BenchmarkJudge(b *testing.B) {
	src := benchmarkState(b)
	j := newJudge(newSeverities())
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		j.one(history, fs.DocSnapshot, false, src)
	}
}

// BenchmarkTree judges a thousand snapshots on disk; bytes per second are to be
// held against those of cat.
func BenchmarkTree(b *testing.B) {
	src := benchmarkState(b)
	p := pages{}
	for i := range 1000 {
		p[fmt.Sprintf("%s/s-%d.json", fs.History, i)] = string(src)
	}
	tree := onDisk(b, p)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("%d", workers), func(b *testing.B) {
			b.SetBytes(int64(len(p) * len(src)))
			for b.Loop() {
				c := &crew{reader: tree, severity: newSeverities(), whole: true, workers: workers}
				for name := range tree.Names(".") {
					c.names = append(c.names, name)
				}
				for _, d := range c.judge() {
					if !d.judged || len(d.found) > 0 {
						b.Fatal(text(d.found))
					}
				}
			}
		})
	}
}

// BenchmarkGate checks one changed State, as every write does.
func BenchmarkGate(b *testing.B) {
	before := pages{fs.State: string(benchmarkState(b)), fs.Config: "{}"}
	after := before.with(fs.State, strings.Replace(before[fs.State], `"clarity": 85`, `"clarity": 86`, 1))
	b.ReportAllocs()
	for b.Loop() {
		if err := Gate(before, after, []string{fs.State}); err != nil {
			b.Fatal(err)
		}
	}
}
