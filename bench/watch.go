//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// patience is how long the watcher may be silent before the run is given up.
const patience = 30 * time.Second

// A line is one thing that a watcher said, when it came to be read here.
type line struct {
	at                           time.Time
	text                         string
	Event, File, Trigger, Action string
	Message, Rule                string
}

// A listener is a process that says what happens, line by line.
type listener struct {
	cmd   *exec.Cmd
	lines chan line
}

func listen(program string, args ...string) (*listener, error) {
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	l := &listener{cmd: cmd, lines: make(chan line, 1<<17)} // room for a burst, so that reading never waits
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go l.read(out)
	return l, nil
}

func (l *listener) read(out io.Reader) {
	defer close(l.lines)
	for s := bufio.NewScanner(out); s.Scan(); {
		n := line{at: time.Now(), text: s.Text()}
		json.Unmarshal(s.Bytes(), &n) // inotifywait speaks plain text
		l.lines <- n
	}
}

var errSilent = errors.New("the watcher does not say what it should")

// await returns the next line that is wanted, and passes over others.
func (l *listener) await(wanted func(line) bool) (line, error) {
	limit := time.After(patience)
	for {
		select {
		case n, open := <-l.lines:
			if !open {
				return n, errors.New("the watcher ended")
			}
			if n.Event == "error" {
				return n, fmt.Errorf("the watcher: %s", n.text)
			}
			if wanted(n) {
				return n, nil
			}
		case <-limit:
			return line{}, errSilent
		}
	}
}

// rest takes the lines that come until it was quiet for so long.
func (l *listener) rest(quiet time.Duration) (lines []line) {
	for {
		select {
		case n, open := <-l.lines:
			if !open {
				return lines
			}
			lines = append(lines, n)
		case <-time.After(quiet):
			return lines
		}
	}
}

func (l *listener) end() {
	l.cmd.Process.Signal(syscall.SIGTERM)
	l.cmd.Wait()
}

// watch measures a running watcher: how long a save takes to its trigger's
// write, what it takes while nothing happens, and what a burst does to it.
func (b *bench) watch() error {
	dir := filepath.Join(b.dir, "watched")
	if _, err := putStates(dir, "", 0, 1); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(fs.History)), 0o755); err != nil {
		return err
	}
	w, err := listen(b.binary, "--tree", dir, "watch", "--format", "json")
	if err != nil {
		return err
	}
	defer w.end()
	if _, err := w.await(func(n line) bool { return n.Event == "ready" }); err != nil {
		return err
	}
	w.rest(time.Second)
	for _, measure := range []func(string, *listener) error{b.saves, b.idle, b.unfinished, b.burst, b.overflow} {
		if err := measure(dir, w); err != nil {
			return err
		}
	}
	return nil
}

// saves measures from just before the rename of a save that changes the layer
// until the watcher says that the trigger's effects are durable. inotifywait, if
// there is one, hears the same saves at the same time.
func (b *bench) saves(dir string, w *listener) error {
	var peer *listener
	if program, err := exec.LookPath("inotifywait"); err == nil {
		if peer, err = listen(program, "-q", "-m", "-e", "moved_to", "--format", "%f", filepath.Dir(stateFile(dir))); err != nil {
			return err
		}
		defer peer.end()
		time.Sleep(200 * time.Millisecond) // it does not say when it is ready
	}
	plain, err := newBare(filepath.Join(b.dir, "beside"), stateFile(dir))
	if err != nil {
		return err
	}
	var seen, done, peers, late, bare []float64
	own := 0
	for i := range b.tenth(100) {
		before, err := save(dir, i%6)
		if err != nil {
			return err
		}
		changed, err := w.await(func(n line) bool { return n.Event == "changed" && n.File == fs.State })
		if err != nil {
			return err
		}
		wrote, err := w.await(func(n line) bool { return n.Event == "wrote" && n.File == fs.State })
		if err != nil {
			return err
		}
		seen, done = append(seen, ms(changed.at.Sub(before))), append(done, ms(wrote.at.Sub(before)))
		if peer != nil {
			heard, err := peer.await(func(n line) bool { return n.text == filepath.Base(fs.State) && n.at.After(before) })
			if err != nil {
				return err
			}
			peers = append(peers, ms(heard.at.Sub(before)))
			late = append(late, ms(changed.at.Sub(heard.at)))
			peer.rest(5 * time.Millisecond)
		}
		for _, n := range w.rest(time.Duration(40+7*i%20) * time.Millisecond) { // a person's saves stand by themselves
			if n.Event == "changed" {
				own++
			}
		}
		took, err := timed(plain.update)
		if err != nil {
			return err
		}
		bare = append(bare, took)
	}
	b.addAll("watch", "save to trigger written, p50", done, "ms", "<= 30",
		fmt.Sprintf("%.1f x a durable update bare", quantile(ratios(done, bare), 0.5)))
	b.add("watch", "save to trigger written, p99", quantile(done, 0.99), "ms", "<= 80", "")
	b.add("watch", "own writes taken for changes", float64(own), "", "== 0", fmt.Sprintf("of %d saves", len(done)))
	if peer == nil {
		b.addAll("watch", "save to told as changed, p50", seen, "ms", "", "no inotifywait here to compare with")
	} else {
		b.addAll("watch", "save to told as changed, p50", seen, "ms", "", fmt.Sprintf("inotifywait %.2f ms", quantile(peers, 0.5)))
		b.add("watch", "the same / inotifywait", quantile(seen, 0.5)/quantile(peers, 0.5), "x", "<= 1.5",
			fmt.Sprintf("%.1f ms later", quantile(late, 0.5)))
	}
	return nil
}

// save saves the State with another layer, as editors do: a new file beside it,
// renamed over it. It returns the moment before the rename. The State differs
// from any before, even where the layer has the same number.
func save(dir string, layer int) (before time.Time, err error) {
	file := stateFile(dir)
	text, err := os.ReadFile(file)
	if err != nil {
		return before, err
	}
	doc, err := jsonedit.Parse(text)
	if err != nil {
		return before, err
	}
	if now, ok := doc.Int(doc.Find("/project/current_layer")); ok && int(now) == layer {
		layer = (layer + 1) % 6
	}
	if text, err = jsonedit.Set(text, "/project/current_layer", []byte(fmt.Sprint(layer))); err != nil {
		return before, err
	}
	if err := os.WriteFile(file+"~", text, 0o644); err != nil {
		return before, err
	}
	before = time.Now()
	return before, os.Rename(file+"~", file)
}

// idle measures what the watcher takes while nothing happens.
func (b *bench) idle(_ string, w *listener) error {
	w.rest(3 * time.Second)
	seconds := b.tenth(100) / 10
	from, err := count(w.cmd.Process.Pid)
	if err != nil {
		return err
	}
	time.Sleep(time.Duration(max(seconds, 1)) * time.Second)
	to, err := count(w.cmd.Process.Pid)
	if err != nil {
		return err
	}
	b.add("watch", fmt.Sprintf("idle for %d s: CPU", max(seconds, 1)), ms(to.cpu-from.cpu), "ms", "== 0", "")
	b.add("watch", fmt.Sprintf("idle for %d s: wake-ups", max(seconds, 1)), float64(to.switches-from.switches), "", "== 0", "")
	b.add("watch", "idle: memory", to.rss, "MiB", "<= 30", "")
	return nil
}

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

// isBroken says whether the i-th document of a flood is broken; broken how many
// of the first n are.
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

// quiet takes lines until the watcher has had no CPU and said nothing for
// half a second, and returns how long after from that began.
func (l *listener) quiet(from time.Time) (lines []line, took time.Duration) {
	busy, was := from, counter{}
	for time.Since(busy) < 500*time.Millisecond && time.Since(from) < patience {
		if more := l.rest(10 * time.Millisecond); len(more) > 0 {
			lines = append(lines, more...)
			busy = more[len(more)-1].at
		}
		now, err := count(l.cmd.Process.Pid)
		if err != nil {
			return lines, time.Since(from)
		}
		if now.cpu-was.cpu > time.Millisecond {
			busy = time.Now()
		}
		was = now
	}
	return lines, max(0, busy.Sub(from))
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
