//go:build linux

package main

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
)

// look measures how long it takes to find out which of 10,000 decisions were not acted on: where
// nobody touched their folder, and where one is new.
func (b *bench) look() error {
	dir := filepath.Join(b.dir, "looked")
	n := b.tenth(10_000)
	names, err := putDecided(dir, n, 0)
	if err != nil {
		return err
	}
	tree, err := fs.Open(dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	tree.Now = func() time.Time { return time.Now().Add(time.Minute) } // the folder was touched long ago
	var set acted.Set
	set.Since, set.Folders = "2026-01-01T00:00:00Z", acted.Stamp(tree)
	ids := make([]string, n)
	for i, name := range names {
		ids[i] = strings.TrimSuffix(path.Base(name), ".json")
	}
	set.Add(ids...)
	text, err := set.Text()
	if err == nil {
		err = put(dir, acted.SetName(fs.Forgemind), text)
	}
	if err != nil {
		return err
	}
	for _, c := range []struct {
		what string
		news int
	}{{"nothing new", 0}, {"one is new", 1}} {
		if c.news > 0 {
			if err := put(dir, fs.Forgemind+"/"+fs.DecisionsDir+"/DEC-NEW.json", []byte(`{"id": "DEC-NEW", "decision": "Plant plums"}`)); err != nil {
				return err
			}
		}
		var samples []float64
		for range 20 * b.runs {
			found := 0
			took, err := timed(func() error {
				set := acted.Read(tree)
				names, err := set.New(tree, acted.Stamp(tree))
				found = len(names)
				return err
			})
			if err == nil && found != c.news {
				err = fmt.Errorf("%d decisions are new, want %d", found, c.news)
			}
			if err != nil {
				return err
			}
			samples = append(samples, took)
		}
		b.addAll("look", fmt.Sprintf("%d decisions, %s", n, c.what), samples, "ms", "<= 5", "in a process that runs")
	}
	return nil
}
