//go:build linux

package faults_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

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
