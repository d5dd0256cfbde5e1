//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/validate"
)

// counted is the value that updates raise by one.
const counted = "/session_stats/commands_executed"

// update measures a durable update of a State through fs, unjudged and judged,
// in turns with the same system calls bare, and writers against one another.
func (b *bench) update() error {
	dir := filepath.Join(b.dir, "updated")
	if _, err := putStates(dir, "", 0, 1); err != nil {
		return err
	}
	tree, err := fs.Open(dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	plain, err := newBare(filepath.Join(b.dir, "bare"), stateFile(dir))
	if err != nil {
		return err
	}
	var bare, free, gated []float64
	for range 20 * b.runs {
		took, err := timed(plain.update)
		if err != nil {
			return err
		}
		bare = append(bare, took)
		for _, way := range []struct {
			check func(before, after fs.Reader, names []string) error
			took  *[]float64
		}{{nil, &free}, {validate.Gate, &gated}} {
			tree.Check = way.check
			took, err := timed(func() error { return raise(tree) })
			if err != nil {
				return err
			}
			*way.took = append(*way.took, took)
		}
	}
	note := func(samples []float64) string {
		return fmt.Sprintf("medians %.2f and %.2f ms", quantile(samples, 0.5), quantile(bare, 0.5))
	}
	b.addAll("update", "durable update, unjudged / the same calls bare", ratios(free, bare), "x", "<= 1.5", note(free))
	b.addAll("update", "durable update, judged by Gate / the same calls bare", ratios(gated, bare), "x", "<= 1.5", note(gated))
	return b.writers(dir, tree)
}

func timed(f func() error) (float64, error) {
	start := time.Now()
	err := f()
	return ms(time.Since(start)), err
}

// raise is one durable update.
func raise(tree *fs.Tree) error {
	return tree.Update(context.Background(), fs.State, raised)
}

func raised(text []byte) ([]byte, error) {
	doc, err := jsonedit.Parse(text)
	if err != nil {
		return nil, err
	}
	n, _ := doc.Int(doc.Find(counted))
	return jsonedit.Set(text, counted, fmt.Append(nil, n+1))
}

// A bare is a directory in which a State is updated with nothing but the edit
// and the calls that durability asks for.
type bare struct{ dir string }

func newBare(dir, like string) (bare, error) {
	x := bare{dir}
	text, err := os.ReadFile(like)
	if err == nil {
		err = put(dir, "state.json", text)
	}
	if err == nil {
		err = put(dir, "lock", nil)
	}
	return x, err
}

// update locks, reads, edits, writes, syncs, renames and syncs the directory.
func (x bare) update() (err error) {
	lock, err := os.OpenFile(x.dir+"/lock", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	text, err := os.ReadFile(x.dir + "/state.json")
	if err != nil {
		return err
	}
	if text, err = raised(text); err != nil {
		return err
	}
	f, err := os.OpenFile(x.dir+"/temp", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(x.dir+"/temp", x.dir+"/state.json"); err != nil {
		return err
	}
	d, err := os.Open(x.dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// writers measures the rate of eight processes that update one State together
// against that of one which does as many updates, in turns.
func (b *bench) writers(dir string, tree *fs.Tree) error {
	const processes = 8
	each := b.tenth(500) / 2
	before, err := standing(tree)
	if err != nil {
		return err
	}
	var one, all []float64
	for range b.runs {
		alone, err := together(dir, 1, processes*each)
		if err != nil {
			return err
		}
		shared, err := together(dir, processes, each)
		if err != nil {
			return err
		}
		updates := float64(processes * each)
		one, all = append(one, updates/alone.Seconds()), append(all, updates/shared.Seconds())
	}
	after, err := standing(tree)
	if err != nil {
		return err
	}
	b.addAll("update", "rate of 8 writing processes / rate of one", ratios(all, one), "x", ">= 0.6",
		fmt.Sprintf("%.0f and %.0f updates a second", quantile(all, 0.5), quantile(one, 0.5)))
	lost := int64(2*b.runs*processes*each) - (after - before)
	b.add("update", "updates lost", float64(lost), "", "== 0", fmt.Sprintf("of %d", 2*b.runs*processes*each))
	return nil
}

// standing is the value that updates raise, as it stands on disk.
func standing(tree *fs.Tree) (int64, error) {
	text, err := tree.Read(fs.State)
	if err != nil {
		return 0, err
	}
	doc, err := jsonedit.Parse(text)
	if err != nil {
		return 0, err
	}
	n, ok := doc.Int(doc.Find(counted))
	if !ok {
		return 0, fmt.Errorf("%s: no %s", fs.State, counted)
	}
	return n, nil
}

// writerVariable tells this program, in its environment, that it is one of the
// writing processes: how many updates of which tree.
const writerVariable = "FORGEMIND_BENCH_WRITER"

// write is a writing process: it says when it is ready, begins when its input
// ends, and exits when it is done.
func write(job string) error {
	var n int
	var dir string
	if _, err := fmt.Sscanf(job, "%d %s", &n, &dir); err != nil {
		return err
	}
	tree, err := fs.Open(dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	tree.Check = validate.Gate
	tree.LockTimeout, tree.HolderTimeout = patience, patience
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
	for range n {
		if err := raise(tree); err != nil {
			return err
		}
	}
	return nil
}

// together lets processes do so many updates each, and returns what all took
// from the moment that they were let go.
func together(dir string, processes, each int) (time.Duration, error) {
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	var running []*exec.Cmd
	var gates []io.Closer
	for range processes {
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", writerVariable, each, dir))
		cmd.Stderr = os.Stderr
		gate, err := cmd.StdinPipe()
		if err != nil {
			return 0, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return 0, err
		}
		if err := cmd.Start(); err != nil {
			return 0, err
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			return 0, fmt.Errorf("a writer does not begin: %w", err)
		}
		running, gates = append(running, cmd), append(gates, gate)
	}
	start := time.Now()
	for _, gate := range gates {
		gate.Close()
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			return 0, fmt.Errorf("a writer: %w", err)
		}
	}
	return time.Since(start), nil
}
