package knobs_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/schema"
)

// open returns a tree with both folders and the given files.
func open(t *testing.T, files map[string]string) *fs.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
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
	if err := tree.Create(fs.Forgemind, fs.Quaid); err != nil {
		t.Fatal(err)
	}
	tree.Now = func() time.Time { return time.Now().Add(time.Minute) } // files that were just written count as settled
	return tree
}

func read(t *testing.T, tree *fs.Tree) knobs.Set {
	t.Helper()
	set, err := knobs.Read(tree)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func write(tree *fs.Tree, name, value string) (change knobs.Change, err error) {
	_, err = tree.Transaction(context.Background(), func(tx *fs.Tx) (err error) {
		change, err = knobs.Write(tx, fs.Forgemind, name, value)
		return err
	})
	return change, err
}

func text(t *testing.T, tree *fs.Tree, name string) string {
	t.Helper()
	src, err := tree.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// The file from New sets every knob to its default.
func TestNewSaysTheDefaults(t *testing.T) {
	bare := read(t, open(t, nil))
	if bare.Knobs != schema.DefaultKnobs() || len(bare.Said)+len(bare.Faults) > 0 {
		t.Errorf("%+v", bare)
	}
	set := read(t, open(t, map[string]string{fs.Knobs: string(knobs.New())}))
	if set.Knobs != schema.DefaultKnobs() || len(set.Faults) > 0 {
		t.Errorf("%+v", set)
	}
	for _, k := range schema.AllKnobs() {
		if at := set.Said[k.Name]; at.File != fs.Knobs || at.Line == 0 {
			t.Errorf("%s stands at %v", k.Name, at)
		}
	}
}

func TestReadKnobByKnob(t *testing.T) {
	set := read(t, open(t, map[string]string{
		fs.Knobs:      "# mine\nRELEVANCE_CUTOFF: 0.4\nMEMFAS_WEIGHT: 60\nMIN_CHUNKS_TO_KEEP: 7\n",
		fs.QuaidKnobs: "RELEVANCE_CUTOFF: 0.1\nIMPORTANCE_BOOT: 0.5\nMEMFAS_WEIGHT: 0.9\n",
	}))
	want := schema.DefaultKnobs()
	want.RelevanceCutoff, want.MinChunksToKeep, want.ImportanceBonus, want.MemfasWeight = 0.4, 7, 0.5, 0.9
	if set.Knobs != want {
		t.Errorf("%+v", set.Knobs)
	}
	if got := fmt.Sprint(set.Said); got != "map[IMPORTANCE_BONUS:{.quaid/context-config.yaml 2} MEMFAS_WEIGHT:{.quaid/context-config.yaml 3} MIN_CHUNKS_TO_KEEP:{.forgemind/context-config.yaml 4} RELEVANCE_CUTOFF:{.forgemind/context-config.yaml 2}]" {
		t.Error(got)
	}
	if got := fmt.Sprint(set.Faults); got != "[{{.forgemind/context-config.yaml 3} MEMFAS_WEIGHT: a weight from 0 to 1 is expected, not 60}]" {
		t.Error(got)
	}
}

// An invalid setting is skipped and reported.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ what, src, fault string }{
		{"a broken file", "RELEVANCE_CUTOFF: 0.4\nMEMFAS_WEIGHT: [\n", "{.forgemind/context-config.yaml 3} no YAML that could be used: "},
		{"a list", "- RELEVANCE_CUTOFF: 0.4\n", "{.forgemind/context-config.yaml 1} no YAML that could be used: expected a mapping"},
		{"a file of garbage", "\x00\xff\xfe", "{.forgemind/context-config.yaml 1} no YAML that could be used: "},
		{"an unknown one", "\n# x\nRELEVANCE_CUTTOFF: 0.4\n", "{.forgemind/context-config.yaml 3} unknown knob RELEVANCE_CUTTOFF"},
		{"a contradiction", "COMPACTION_TRIGGER_PCT: 0.30\n", "{.forgemind/context-config.yaml 1} CURATION_TRIGGER_PCT 0.4 is above COMPACTION_TRIGGER_PCT 0.3: "},
		{"one that only leaves the defaults", "MAX_CONTEXT_PCT: 0.45\nCOMPACTION_TRIGGER_PCT: 0.44\nCURATION_TRIGGER_PCT: 0.445\n", "{.forgemind/context-config.yaml 1} COMPACTION_TRIGGER_PCT 0.5 is not below MAX_CONTEXT_PCT 0.45: "},
	} {
		set := read(t, open(t, map[string]string{fs.Knobs: c.src}))
		if set.Knobs != schema.DefaultKnobs() || len(set.Said) > 0 {
			t.Errorf("%s: %+v", c.what, set)
		}
		if got := fmt.Sprint(set.Faults); !strings.HasPrefix(got, "[{"+c.fault) {
			t.Errorf("%s: %s", c.what, got)
		}
	}
}

func TestWriteChangesOneValue(t *testing.T) {
	const src = "# what we agreed on\r\nIMPORTANCE_BOOT:   0.10   # as the plan has it\r\nRELEVANCE_CUTOFF: 0.30\r\nLOG_DROPS: on"
	tree := open(t, map[string]string{fs.QuaidKnobs: src})
	for _, c := range []struct{ name, value, want, change string }{
		{"RELEVANCE_CUTOFF", "0.3", src, "{{.quaid/context-config.yaml 3} RELEVANCE_CUTOFF 0.3 0.3}"},
		{"IMPORTANCE_BONUS", "0.20", strings.Replace(src, "0.10", "0.20", 1), "{{.quaid/context-config.yaml 2} IMPORTANCE_BONUS 0.1 0.2}"},
		{"IMPORTANCE_BOOT", "0.10", src, "{{.quaid/context-config.yaml 2} IMPORTANCE_BONUS 0.2 0.1}"},
		{"LOG_DROPS", "no", strings.Replace(src, ": on", ": false", 1), "{{.quaid/context-config.yaml 4} LOG_DROPS true false}"},
		{"LOG_DROPS", "true", strings.Replace(src, ": on", ": true", 1), "{{.quaid/context-config.yaml 4} LOG_DROPS false true}"},
		{"KEEP_THRESHOLD", "0.75", strings.Replace(src, "0.30\r\nLOG_DROPS: on", "0.30\r\nKEEP_THRESHOLD: 0.75\r\nLOG_DROPS: true", 1), "{{.quaid/context-config.yaml 4} KEEP_THRESHOLD 0.7 0.75}"},
	} {
		change, err := write(tree, c.name, c.value)
		if got := text(t, tree, fs.QuaidKnobs); err != nil || got != c.want {
			t.Errorf("%s %s: %q, %v, want %q", c.name, c.value, got, err, c.want)
		}
		if got := fmt.Sprint(change); got != c.change {
			t.Errorf("%s %s: %s", c.name, c.value, got)
		}
	}
	if faults := read(t, tree).Faults; faults != nil {
		t.Error(faults)
	}
}

// Write creates a complete file in a tree without one.
func TestWriteMakesTheFile(t *testing.T) {
	tree := open(t, nil)
	if _, err := write(tree, "RECOVERABLE_FOR_DAYS", "90"); err != nil {
		t.Fatal(err)
	}
	if got, want := text(t, tree, fs.Knobs), strings.Replace(string(knobs.New()), "RECOVERABLE_FOR_DAYS: 30", "RECOVERABLE_FOR_DAYS: 90", 1); got != want {
		t.Error(got)
	}
}

func TestWriteRefuses(t *testing.T) {
	for _, c := range []struct{ src, name, value, want string }{
		{"", "RELEVANCE_CUTOFF", "30", "a ratio from 0 to 1: 0.3 for 30 % is expected, not 30"},
		{"", "RELEVANCE_CUTTOFF", "0.3", "there is no such knob"},
		{"", "COLD_STORAGE_PATH", "/tmp/cold", "cold-storage/ in the tree's own folder is expected, not /tmp/cold"},
		{"", "COLD_STORAGE_PATH", "attic", "attic is not used: the place is cold-storage/ in the tree's own folder"},
		{"", "CURATION_TRIGGER_PCT", "0.6", "CURATION_TRIGGER_PCT 0.6 is above COMPACTION_TRIGGER_PCT 0.5: curation is to come before compaction, and never would"},
		{"A: [\n", "RELEVANCE_CUTOFF", "0.2", ".forgemind/context-config.yaml: line 2"},
		{"RELEVANCE_CUTOFF: [0.2]\n", "RELEVANCE_CUTOFF", "0.2", ".forgemind/context-config.yaml: line 1, column 1: cannot set RELEVANCE_CUTOFF in this form of YAML: edit the file by hand"},
		{"RELEVANCE_CUTOFF: 0.1\nRELEVANCE_CUTOFF: 0.2\n", "RELEVANCE_CUTOFF", "0.2", ".forgemind/context-config.yaml: line 2, column 1: duplicate key RELEVANCE_CUTOFF"},
	} {
		files := map[string]string{}
		if c.src != "" {
			files[fs.Knobs] = c.src
		}
		tree := open(t, files)
		if _, err := write(tree, c.name, c.value); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.name, c.value, err, c.want)
		}
		src, err := tree.Read(fs.Knobs)
		if string(src) != c.src || err == nil != (c.src != "") {
			t.Errorf("%s %s: wrote %q", c.name, c.value, src)
		}
	}
	tree := open(t, map[string]string{fs.Knobs: "RELEVANCE_CUTOFF: 60 # percent\n"})
	if _, err := write(tree, "RELEVANCE_CUTOFF", "0.6"); err != nil || text(t, tree, fs.Knobs) != "RELEVANCE_CUTOFF: 0.6 # percent\n" {
		t.Errorf("a wrong value cannot be mended: %v", err)
	}
}
