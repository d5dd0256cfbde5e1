//go:build linux

package faults_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A subject is a command that is broken.
type subject interface {
	fmt.Stringer
	prepare(t *testing.T) (dir string)                // makes a directory for the command
	command(t *testing.T, dir string) *exec.Cmd       // returns the command
	judge(t *testing.T, b *broken) (at, after string) // checks what it left, and what came of it after the next command
}

// What a broken command leaves.
const (
	undone  = "undone"
	did     = "done"
	half    = "half"    // some documents are old, some new: only until the next command
	unheard = "unheard" // a hook: nobody knows what the agent said there
)

// A fault is a system call that changes something on the disk, or that a change goes by.
type fault struct {
	call   string
	kill   int    // commands are killed at every so many-th of these calls
	fail   int    // every so many-th of them fails
	errnos string // the errors that they fail with, each with one of them in turn
	each   bool   // each with each of them
}

// points returns the points at which a subject is killed, from the first call, or at which
// its calls fail, from the last; of each kind of call these are at most so many.
func (s set) points(t *testing.T, c subject, kill bool) (points []point) {
	t.Helper()
	var calls []string
	for _, f := range s.faults {
		calls = append(calls, f.call)
	}
	made := times(t, c, calls)
	for _, f := range s.faults {
		errnos, step, most := strings.Fields(f.errnos), f.fail, s.errors
		if kill {
			errnos, step, most = []string{""}, f.kill, s.kills
		}
		n := made[f.call]
		step = max(step, (n+most-1)/most)
		for i := 0; i*step < n && len(errnos) > 0; i++ {
			k := 1 + i*step
			if !kill {
				k = n - i*step
			}
			for j, errno := range errnos {
				if f.each || i%len(errnos) == j {
					points = append(points, point{c, f.call, k, errno})
				}
			}
		}
	}
	return points
}

// A result counts what came of the points.
type result struct {
	sync.Mutex
	seen, points, hit, failed int
	found                     map[string]int
}

// thin returns every n-th of the points of all subjects, with the first.
func (r *result) thin(points []point, n int) (some []point) {
	for _, p := range points {
		if r.seen%n == 0 {
			some = append(some, p)
		}
		r.seen++
	}
	return some
}

// breakAt breaks commands at points, two at a time, and has count count each. On a busy
// machine the work of a command is spread over more threads, each of which makes fewer
// calls: a point that no thread came to is tried again at an earlier call.
func (r *result) breakAt(t *testing.T, points []point, count func(b *broken, at, after string)) {
	t.Helper()
	inTwo(points, func(p point) {
		for reached := false; p.k > 0 && !reached; p.k = p.k * 3 / 4 {
			b := p.run(t)
			at, after := p.judge(t, b)
			os.RemoveAll(filepath.Dir(b.dir))
			reached = b.reached()
			r.Lock()
			count(b, at, after)
			r.Unlock()
		}
		r.Lock()
		defer r.Unlock()
		r.points++
	})
}

// kill kills commands at points. What was acknowledged has to be there.
func (r *result) kill(t *testing.T, points []point) {
	t.Helper()
	r.breakAt(t, points, func(b *broken, at, after string) {
		if b.run.code == 0 {
			if after != did {
				t.Errorf("%v: acknowledged, and gone", b)
			}
			return
		}
		r.hit++
		r.found[after]++
		if at == half {
			r.found[half]++
		}
	})
}

// fail makes the system calls at points fail.
func (r *result) fail(t *testing.T, points []point) {
	t.Helper()
	r.breakAt(t, points, func(b *broken, _, after string) {
		if !b.within(filepath.Dir(b.dir)) || b.actionFailed() {
			return
		}
		r.hit++
		r.found[after]++
		if b.run.code != 0 {
			r.failed++
		}
	})
}

// enough fails the test unless calls were hit at most points, and after failures of calls
// the share of the commands that failed was at least that.
func (r *result) enough(t *testing.T, hit, failed float64) {
	t.Helper()
	t.Logf("%d points, %d hit, %d of them failed; %v", r.points, r.hit, r.failed, r.found)
	if float64(r.hit) < hit*float64(r.points) || float64(r.failed) < failed*float64(r.hit) || r.found[unheard] > r.points/8 {
		t.Error("too few points were hit, or too few commands failed, or too much is unheard")
	}
}

// run kills subjects at system calls, or makes these fail, at every n-th of the points.
func (s set) run(t *testing.T, subjects []subject, kill bool, n int) {
	t.Helper()
	r := &result{found: map[string]int{}}
	do, hit, failed := r.fail, 0.5, s.fails
	if kill {
		do, hit, failed = r.kill, 0.75, 0
	}
	for _, c := range subjects {
		t.Run(c.String(), func(t *testing.T) { do(t, r.thin(s.points(t, c, kill), n)) })
	}
	r.enough(t, hit, failed)
}

// runAll kills the subjects of all sets at system calls, or makes these fail.
func runAll(t *testing.T, kill bool) {
	t.Helper()
	needs(t, "strace")
	for _, s := range sets {
		t.Run(s.name, func(t *testing.T) { s.run(t, s.subjects(t, kill), kill, s.every) })
	}
}

// runSome does so with every fifth point of one command, which takes seconds.
func runSome(t *testing.T, kill bool) {
	t.Helper()
	needs(t, "strace")
	some := sets[0]
	some.fails = 1.0 / 5 // of so few points the share varies: about 0.4, and 0.08 is its standard deviation
	some.run(t, []subject{sample.rehearse(t)}, kill, 5)
}

// Killed at each of its system calls, a command leaves each document old or new, and the
// next command makes them all old or all new.
func TestKilledAtEverySystemCall(t *testing.T) { runAll(t, true) }

// Whatever system call fails, the documents are old or new, all of them; what was done is
// acknowledged, and what was not is not; the message says what failed and why.
func TestErrorFromEverySystemCall(t *testing.T) { runAll(t, false) }

func TestSampleOfKills(t *testing.T)  { runSome(t, true) }
func TestSampleOfErrors(t *testing.T) { runSome(t, false) }

// killAfter kills a command after a while. It reports whether the command had not ended by then.
func killAfter(t *testing.T, cmd *exec.Cmd, after time.Duration) (killed bool) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return false
	}
	time.Sleep(after)
	cmd.Process.Kill()
	cmd.Wait()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() && status.ExitStatus() != 0 {
		t.Errorf("%q: exit %d", cmd.Args, status.ExitStatus())
	}
	return status.Signaled()
}

// Killed at a random moment, a command leaves each document old or new. The next command
// finishes it or takes it back, all of it, and leaves no litter; every third of those that
// mend is killed as well. A conversation that moves to the home of another layout is whole.
func TestKilledAtRandom(t *testing.T) {
	var trials []*trial
	for i, c := range append(changing, moving) {
		tr := c.rehearse(t)
		for range []int{19, 60}[i/len(changing)] {
			trials = append(trials, tr)
		}
	}
	// How long a command takes changes with what else the machine does, so the
	// times are taken anew for another round if too few kills came early or late.
	for round := 1; !killAtRandom(t, trials); round++ {
		if round == 5 {
			t.Error("the moments are badly spread")
			break
		}
	}
}

// killAtRandom kills each command once, and reports whether the kills came at enough
// different stages.
func killAtRandom(t *testing.T, trials []*trial) (spread bool) {
	usual := map[*trial]time.Duration{}
	for _, tr := range trials {
		if usual[tr] == 0 {
			dir := tr.prepare(t)
			start := time.Now()
			tr.succeed(t, dir, tr.args)
			usual[tr] = time.Since(start)
		}
	}
	r := &result{found: map[string]int{}}
	inTwo(trials, func(tr *trial) {
		soon := func() time.Duration { return time.Duration(rand.Int64N(int64(usual[tr]) * 3 / 2)) }
		b := &broken{dir: tr.prepare(t), what: fmt.Sprintf("%v killed", tr)}
		defer os.RemoveAll(filepath.Dir(b.dir))
		killed := killAfter(t, tr.command(t, b.dir), soon())
		if b.twice = killed && rand.IntN(3) == 0; b.twice {
			killAfter(t, atHome(b.dir, tr.next...), soon())
			b.what += ", and the next one too"
		}
		_, after := tr.judge(t, b)
		r.Lock()
		defer r.Unlock()
		if killed {
			r.hit++
			r.found[after]++
		} else if after != did {
			t.Errorf("%v was acknowledged and is gone", tr)
		}
	})
	t.Logf("%d commands: %d killed before their end, %v", len(trials), r.hit, r.found)
	return r.hit >= len(trials)/2 && r.found[undone] >= len(trials)/10 && r.found[did] >= len(trials)/50
}
