//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

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
