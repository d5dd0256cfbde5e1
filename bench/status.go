//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// begin are the commands with which the session of an agent begins and goes on.
var begin = [][]string{{"brief"}, {"governs", "internal/auth/jwt.go"}, {"statusline"}}

// status measures commands that read a tree with 10,000 decisions and 100,000
// messages, in a cold process, in turns with cat over the decisions; and those with
// which a session begins on trees of other records, and without the index.
func (b *bench) status() error {
	dir := filepath.Join(b.dir, "decided")
	n, messages := b.tenth(10_000), b.tenth(100_000)
	paths, err := putDecided(dir, n, messages)
	if err != nil {
		return err
	}
	commands := append([][]string{{"status"}, {"triggers"}, {"decision", "list"}, {"context", "--layer", "1"}}, begin...)
	if err := b.commands(dir, fmt.Sprintf("%d decisions, %d messages", n, messages), "<= 50", commands, paths, false); err != nil {
		return err
	}
	if err := b.commands(dir, fmt.Sprintf("%d decisions, no index", n), "", begin, paths, true); err != nil {
		return err
	}
	dir = filepath.Join(b.dir, "talked")
	few := b.tenth(1_000)
	if paths, err = putDecided(dir, few, n); err != nil {
		return err
	}
	if err := b.commands(dir, fmt.Sprintf("%d decisions, %d messages", few, n), "<= 50", begin, paths, false); err != nil {
		return err
	}
	dir = filepath.Join(b.dir, "noted")
	if paths, err = putNoted(dir, n); err != nil {
		return err
	}
	return b.commands(dir, fmt.Sprintf("%d notes", n), "<= 50", begin, paths, false)
}

// commands measures commands on a tree in turns with cat over some of its files,
// each time with the index that the run before left, or with none.
func (b *bench) commands(dir, what, target string, commands [][]string, paths []string, anew bool) error {
	for _, command := range commands {
		var took, theirs, cpu []float64
		for i := range b.runs + 1 {
			if anew {
				if err := os.RemoveAll(filepath.Join(dir, fs.LocalName(fs.Forgemind, "index"))); err != nil {
					return err
				}
			}
			u, err := must(0, dir, b.binary, command...)
			if err != nil {
				return err
			}
			c, err := must(0, dir, "cat", paths...)
			if err != nil {
				return err
			}
			if i > 0 {
				took, theirs, cpu = append(took, ms(u.wall)), append(theirs, ms(c.wall)), append(cpu, ms(u.cpu))
			}
		}
		note := fmt.Sprintf("%.2f x cat over them; %.0f ms of CPU", quantile(ratios(took, theirs), 0.5), quantile(cpu, 0.5))
		b.addAll("status", what+": "+strings.Join(command, " "), took, "ms", target, note)
	}
	return nil
}

// putDecided makes a tree with decisions and messages. It returns the paths of the
// decisions.
func putDecided(dir string, decisions, messages int) (paths []string, err error) {
	if _, err := putStates(dir, "", 0, 1); err != nil {
		return nil, err
	}
	for i := range decisions {
		id := fmt.Sprintf("DEC-%06d", i)
		at := time.Date(2025, 1, 1, 0, i, 0, 0, time.UTC)
		text, err := jsonedit.Marshal(decision(newAuthor(i), id, schema.FormatTime(at)))
		if err != nil {
			return nil, err
		}
		name := fs.Forgemind + "/" + fs.DecisionsDir + "/" + id + ".json"
		if err := put(dir, name, text); err != nil {
			return nil, err
		}
		paths = append(paths, name)
	}
	return paths, putMessages(dir, messages)
}

// putNoted makes a tree with an agent's notes. It returns the path of them.
func putNoted(dir string, notes int) (paths []string, err error) {
	if _, err := putStates(dir, "", 0, 1); err != nil {
		return nil, err
	}
	var text strings.Builder
	text.WriteString("# Facilitator notes\n\n## Lessons learned\n\n")
	for i := range notes {
		fmt.Fprintf(&text, "- %s in internal/%s/%d.go\n", newAuthor(i).words(12), newAuthor(i).words(1), i%100)
	}
	name := fs.Forgemind + "/" + fs.MemoryDir + "/facilitator-notes.md"
	return []string{name}, put(dir, name, []byte(text.String()))
}
