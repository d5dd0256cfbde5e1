package secret_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// The environment variables with the files for the measurements in docs/transcripts.md.
var (
	corpus   = flag.String("secrets.corpus", "", "a `folder` whose files hold no secrets: what is masked in them is listed")
	examples = flag.String("secrets.examples", "", "a `file` of JSON lines {id, tps, fps}, examples of secrets and of none: what is missed is listed")
)

func TestRatesOfMasking(t *testing.T) {
	if *corpus != "" {
		rateOfFalse(t, *corpus)
	}
	if *examples != "" {
		rateOfFound(t, *examples)
	}
	if *corpus == "" && *examples == "" {
		t.Skip("it measures what -secrets.corpus and -secrets.examples name")
	}
}

func rateOfFalse(t *testing.T, root string) {
	size, masked := 0, 0
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil || !utf8.Valid(src) {
			return err
		}
		size += len(src)
		out, n := mask(string(src))
		masked += n
		for line := range strings.Lines(out) {
			if n > 0 && strings.Contains(line, "[masked:") {
				t.Logf("%s: %.200q", name, strings.TrimSpace(line))
			}
		}
		return nil
	})
	t.Logf("%.1f MB, %d masked, %v", float64(size)/1e6, masked, err)
}

func rateOfFound(t *testing.T, name string) {
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, found, none, taken := 0, 0, 0, 0
	for lines, in := json.NewDecoder(bufio.NewReader(file)), (struct {
		ID       string
		Tps, Fps []string
	}{}); lines.Decode(&in) == nil; in.Tps, in.Fps = nil, nil {
		missed := 0
		for _, text := range in.Tps {
			if _, n := mask(text); n == 0 {
				missed++
			}
		}
		for _, text := range in.Fps {
			if _, n := mask(text); n > 0 {
				taken++
			}
		}
		all, found, none = all+len(in.Tps), found+len(in.Tps)-missed, none+len(in.Fps)
		if missed > 0 {
			t.Logf("%s: %d of %d missed", in.ID, missed, len(in.Tps))
		}
	}
	t.Logf("%d of %d examples masked (%.1f %%); of %d that are none, %d", found, all, 100*float64(found)/float64(max(1, all)), none, taken)
}
