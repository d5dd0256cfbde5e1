//go:build slow && linux

package faults_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A member is a working copy of a crowd that exchanges its tree through a remote.
type member struct {
	dir     string
	texts   []string // what it recorded
	syncs   []time.Duration
	retries int // syncs that others were faster than, at least once
}

// changeOnce records something that differs from everything else.
func (m *member) changeOnce(t *testing.T, n int) {
	text := fmt.Sprintf("%s records number %d", filepath.Base(filepath.Dir(m.dir)), n)
	agent := []string{"--agent", filepath.Base(filepath.Dir(m.dir))}
	commands := [][]string{{"goal", "add"}, {"decision", "add"}, {"question", "ask"}, {"action", "add"}, {"note", "add"}, {"constraint", "add"}}
	which := rand.IntN(len(commands) + 1)
	if which == len(commands) { // a change of an earlier record
		if r := forgemind(t, m.dir, append([]string{"goal", "update", "Shared", "--status", []string{"in-progress", "pending"}[n%2]}, agent...)...); r.code != 0 {
			t.Errorf("%v", r)
		}
		return
	}
	if r := succeed(t, m.dir, append(append(commands[which], text), agent...)...); r.code == 0 {
		m.texts = append(m.texts, text)
	}
}

func (m *member) exchange(t *testing.T) {
	r := succeed(t, m.dir, "sync", "--format", "json")
	m.syncs = append(m.syncs, r.took)
	if !strings.Contains(r.out, `"tries": 1`) {
		m.retries++
	}
}

// shared returns the contents of the files that a working copy exchanges.
func (m *member) shared(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	root := os.DirFS(m.dir)
	for _, dir := range []string{"decisions", "goals", "questions", "actions", "notes", "constraints"} {
		err := fs.WalkDir(root, ".forgemind/"+dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			src, err := fs.ReadFile(root, name)
			files[name] = string(src)
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return files
}

// TestSyncCrowd has five working copies that record and sync at once, at random, 24 times each (200 with
// FAULTS_ALL=1). In the end all have
// the same bytes, and nothing that was recorded is missing.
func TestSyncCrowd(t *testing.T) {
	needs(t, "git")
	const copies = 5
	changes := fewer(atLength(200, 24))
	remote := filepath.Join(newDir(t), "remote.git")
	git(t, filepath.Dir(remote), "init", "-q", "--bare", remote)
	crowd := make([]*member, copies)
	for i := range crowd {
		crowd[i] = &member{dir: newDir(t)}
		if i == 0 {
			succeed(t, crowd[i].dir, "init")
			succeed(t, crowd[i].dir, "goal", "add", "Shared goal")
		}
		succeed(t, crowd[i].dir, "sync", "init", "git", remote)
	}
	var group sync.WaitGroup
	for _, m := range crowd {
		group.Go(func() {
			for n := range changes {
				m.changeOnce(t, n)
				if rand.IntN(8) == 0 {
					m.exchange(t)
				}
			}
		})
	}
	group.Wait()
	for range 2 { // the first takes what came after the last one
		for _, m := range crowd {
			m.exchange(t)
		}
	}
	tellCrowd(t, crowd, changes)
}

// tellCrowd compares the working copies and prints the figures.
func tellCrowd(t *testing.T, crowd []*member, changes int) {
	t.Helper()
	want, lost, different, retries := crowd[0].shared(t), 0, 0, 0
	all := strings.Join(slices.Collect(maps.Values(want)), "\n")
	var syncs []time.Duration
	for _, m := range crowd {
		for _, text := range m.texts {
			if !strings.Contains(all, text+`"`) {
				lost++
				t.Errorf("%q is lost", text)
			}
		}
		if !maps.Equal(m.shared(t), want) {
			different++
			t.Errorf("%s has other bytes than %s", m.dir, crowd[0].dir)
		}
		succeed(t, m.dir, "validate", "--strict")
		syncs = append(syncs, m.syncs...)
		retries += m.retries
	}
	slices.Sort(syncs)
	t.Logf("%d working copies, %d changes each, %d files: %d lost, %d with other bytes; %d syncs, %d after a retry, p50 %v, p99 %v",
		len(crowd), changes, len(want), lost, different, len(syncs), retries, syncs[len(syncs)/2].Round(time.Millisecond), syncs[len(syncs)*99/100].Round(time.Millisecond))
}
