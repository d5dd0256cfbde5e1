//go:build linux

package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// status measures commands that read a tree with 10,000 decisions and 100,000
// messages, in a cold process, in turns with cat over the decisions.
func (b *bench) status() error {
	dir := filepath.Join(b.dir, "decided")
	if _, err := putStates(dir, "", 0, 1); err != nil {
		return err
	}
	n := b.tenth(10_000)
	var paths []string
	for i := range n {
		id := fmt.Sprintf("DEC-%06d", i)
		at := time.Date(2025, 1, 1, 0, i, 0, 0, time.UTC)
		text, err := jsonedit.Marshal(decision(newAuthor(i), id, schema.FormatTime(at)))
		if err != nil {
			return err
		}
		name := fs.Forgemind + "/" + fs.DecisionsDir + "/" + id + ".json"
		if err := put(dir, name, text); err != nil {
			return err
		}
		paths = append(paths, name)
	}
	messages := b.tenth(100_000)
	if err := putMessages(dir, messages); err != nil {
		return err
	}
	for _, command := range [][]string{{"status"}, {"triggers"}, {"decision", "list"}, {"context", "--layer", "1"}} {
		var took, theirs []float64
		for i := range b.runs + 1 {
			u, err := must(0, dir, b.binary, command...)
			if err != nil {
				return err
			}
			c, err := must(0, dir, "cat", paths...)
			if err != nil {
				return err
			}
			if i > 0 {
				took, theirs = append(took, ms(u.wall)), append(theirs, ms(c.wall))
			}
		}
		name := fmt.Sprintf("%d decisions, %d messages: %s", n, messages, strings.Join(command, " "))
		b.addAll("status", name, took, "ms", "<= 50", fmt.Sprintf("%.2f x cat over the decisions", quantile(ratios(took, theirs), 0.5)))
	}
	return nil
}
