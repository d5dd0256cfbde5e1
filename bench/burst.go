//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// unfinished saves a few documents that end in the middle, as a failed save or a
// merge leaves them: whether each is judged without holding up the others.
func (b *bench) unfinished(dir string, w *listener) error {
	const n = 5
	text, err := state(0, false)
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for i := range n {
		name := fmt.Sprintf("%s/unfinished-%d.json", fs.History, i)
		names[name] = true
		if err := put(dir, name, text[:len(text)/2]); err != nil {
			return err
		}
	}
	last := time.Now()
	var told line
	for len(names) > 0 {
		if told, err = w.await(func(l line) bool { return l.Event == "invalid" && names[l.File] }); err != nil {
			return err
		}
		delete(names, told.File)
	}
	b.add("watch", fmt.Sprintf("%d unfinished saves at once: all told after", n), told.at.Sub(last).Seconds(), "s", "<= 2", "")
	return nil
}

// burst writes and renames thousands of snapshots into one directory. Some are
// broken, so that it shows that they were judged.
func (b *bench) burst(dir string, w *listener) error {
	n := b.tenth(10_000)
	last, took, err := flood(dir, 1, n)
	if err != nil {
		return err
	}
	lines, quiet := w.quiet(last)
	told := tally(lines, "changed")
	missed, twice := 0, 0
	for i := range n {
		switch told[snapshotName(1+i)] {
		case 0:
			missed++
		case 1:
		default:
			twice++
		}
	}
	b.add("watch", fmt.Sprintf("burst of %d: missed", n), float64(missed), "", "== 0", fmt.Sprintf("written within %.1f s", took.Seconds()))
	b.add("watch", fmt.Sprintf("burst of %d: judged more than once", n), float64(twice), "", "== 0", "")
	b.add("watch", fmt.Sprintf("burst of %d: broken documents not told", n), float64(broken(n)-len(tally(lines, "invalid"))), "", "== 0", "")
	b.add("watch", fmt.Sprintf("burst of %d: quiet after the last write", n), quiet.Seconds(), "s", "<= 2", "")
	return nil
}

// overflow holds the watcher still while the kernel's queue overflows. What was
// lost, the watcher has to find by looking at everything.
func (b *bench) overflow(dir string, w *listener) error {
	n := b.tenth(10_000)
	w.cmd.Process.Signal(syscall.SIGSTOP)
	_, _, err := flood(dir, 1+n, n)
	w.cmd.Process.Signal(syscall.SIGCONT)
	if err != nil {
		return err
	}
	start := time.Now()
	lines, quiet := w.quiet(start)
	told := tally(lines, "invalid")
	missed, twice := 0, 0
	for i := range n {
		if !isBroken(i) {
			continue
		}
		switch told[snapshotName(1+n+i)] {
		case 0:
			missed++
		case 1:
		default:
			twice++
		}
	}
	name := fmt.Sprintf("%d while it is stopped", n)
	b.add("watch", name+": broken documents not told", float64(missed), "", "== 0",
		fmt.Sprintf("queue of %s events", firstFields("/proc/sys/fs/inotify/max_queued_events", 1)))
	b.add("watch", name+": told more than once", float64(twice), "", "== 0", "")
	b.add("watch", name+": quiet after it goes on", quiet.Seconds(), "s", "", fmt.Sprintf("all of %d documents are looked at", 2*n))
	return nil
}

// isBroken reports whether the i-th document of a flood is broken; broken returns how
// many of the first n are.
func isBroken(i int) bool { return i%100 == 50 }
func broken(n int) int    { return (n + 49) / 100 }

// flood writes and renames n snapshots, those from first on. It returns the
// moment of the last rename, and what all took.
func flood(dir string, first, n int) (last time.Time, took time.Duration, err error) {
	texts := make([][]byte, 50) // made beforehand; each is told apart by its name
	for i := range texts {
		if texts[i], err = state(first+i, false); err != nil {
			return last, 0, err
		}
	}
	start := time.Now()
	for i := range n {
		file := filepath.Join(dir, filepath.FromSlash(snapshotName(first+i)))
		text := texts[i%len(texts)]
		if isBroken(i) {
			text = spoil(text)
		}
		if err := os.WriteFile(file+"~", text, 0o644); err != nil {
			return last, 0, err
		}
		if err := os.Rename(file+"~", file); err != nil {
			return last, 0, err
		}
	}
	last = time.Now()
	return last, last.Sub(start), nil
}

// tally counts the lines of one event by their document.
func tally(lines []line, event string) map[string]int {
	counts := map[string]int{}
	for _, n := range lines {
		if n.Event == event && strings.HasPrefix(n.File, fs.History) {
			counts[n.File]++
		}
	}
	return counts
}
