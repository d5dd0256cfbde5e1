//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// validate judges 10,000 States in a cold process, in turns with cat over the
// same files: as one tree, as a hundred trees, and a tenth of them with an error
// each, which has to be explained.
func (b *bench) validate() error {
	n := b.tenth(10_000)
	one := filepath.Join(b.dir, "one")
	paths, err := putStates(one, "", 0, n)
	if err != nil {
		return err
	}
	if err := b.againstCat("one tree", one, paths, 0, true); err != nil {
		return err
	}
	many := filepath.Join(b.dir, "many")
	paths = nil
	for i := range 100 {
		more, err := putStates(many, fmt.Sprintf("project-%03d", i), i*n/100, n/100)
		if err != nil {
			return err
		}
		paths = append(paths, more...)
	}
	if err := b.againstCat("100 trees", many, paths, 0, true); err != nil {
		return err
	}
	wrong := filepath.Join(b.dir, "wrong")
	if paths, err = putStates(wrong, "", 0, n/10); err != nil {
		return err
	}
	for _, path := range paths {
		file := filepath.Join(wrong, path)
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, spoil(text), 0o644)
		}
		if err != nil {
			return err
		}
	}
	return b.againstCat("an error in each", wrong, paths, 1, false)
}

// againstCat measures validate in dir against cat over paths, the files below
// it. code is what validate must exit with.
func (b *bench) againstCat(what, dir string, paths []string, code int, judged bool) error {
	var ours, theirs []usage
	var cpu, wall, rss, floor, took []float64
	for i := range b.runs + 1 {
		u, err := must(code, dir, b.binary, "validate", dir)
		if err != nil {
			return err
		}
		if want := fmt.Sprintf("%d files,", len(paths)); !strings.Contains(u.told, want) {
			return fmt.Errorf("validate %s: it did not judge %s\n%s", dir, want, u.told)
		}
		c, err := must(0, dir, "cat", paths...)
		if err != nil {
			return err
		}
		if i > 0 { // the first turn brings the files into memory
			ours, theirs = append(ours, u), append(theirs, c)
		}
	}
	for i, u := range ours {
		c := theirs[i]
		cpu = append(cpu, float64(u.cpu)/float64(c.cpu))
		wall = append(wall, float64(u.wall)/float64(c.wall))
		rss, floor, took = append(rss, u.rss), append(floor, c.rss), append(took, ms(u.wall))
	}
	limits := [3]string{"<= 3", "<= 2", "<= 40"}
	if !judged || b.quick { // of few files the start of the process is too large a part
		limits = [3]string{}
	}
	name := fmt.Sprintf("%d files, %s", len(paths), what)
	b.addAll("validate", name+": CPU / cat", cpu, "x", limits[0], "")
	b.addAll("validate", name+": wall / cat", wall, "x", limits[1], fmt.Sprintf("%.0f ms", quantile(took, 0.5)))
	b.addAll("validate", name+": peak memory", rss, "MiB", limits[2], fmt.Sprintf("cat measured so: %.1f", quantile(floor, 0.5)))
	return nil
}

// spoil makes a State break its schema.
func spoil(text []byte) []byte {
	return bytes.Replace(text, []byte(`"mode": "Boss Mode"`), []byte(`"mode": 7`), 1)
}

// stateFile returns the path of the State of the tree in dir.
func stateFile(dir string) string { return filepath.Join(dir, filepath.FromSlash(fs.State)) }
