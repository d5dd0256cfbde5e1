//go:build linux

package faults_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// changing are the commands that change a tree. DEC stands for the decision
// that is there.
var changing = [][]string{
	{"set", "/notes/a", "1"},
	{"layer", "2"},
	{"layer", "0"},
	{"clarity", "95"},
	{"decision", "add", "killed", "--priority", "high"},
	{"decision", "supersede", "DEC", "instead"},
	{"trigger", "session_end"},
	{"message", "add", "one more word", "--agent", "Boss"},
	{"compact", "--now", "--strategy", "psd"},
	{"uncompact"},
	{"load", "idea.md"},
	{"question", "ask", "Which pears?"},
	{"memory", "add", "--type", "lesson_learned", "frost comes early"},
	{"facilitator", "backtrack"},
	{"facilitator", "end", "session"},
	{"init", "--layout", "both", "--template", "cms"},
}

// rehearsals are trials of all changing commands.
func rehearsals(t *testing.T, commands [][]string) (all []*trial) {
	t.Helper()
	base := baseTree(t)
	for _, args := range commands {
		if args[0] == "init" {
			all = append(all, rehearse(t, newDir(t), args...))
			continue
		}
		for i, arg := range args {
			if arg == "DEC" {
				args = append([]string{}, args...)
				args[i] = decisionOf(t, base)
			}
		}
		from := base
		if args[0] == "uncompact" {
			from = copyTree(t, base)
			succeed(t, from, "compact", "--now", "--strategy", "psd")
		}
		all = append(all, rehearse(t, from, args...))
	}
	return all
}

// kill runs args in dir and kills it with SIGKILL after a while. True means
// that it had not ended by then.
func kill(t *testing.T, dir string, after time.Duration, args ...string) (killed bool, code int) {
	t.Helper()
	cmd := command(dir, args...)
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return false, -1
	}
	time.Sleep(after)
	cmd.Process.Kill()
	cmd.Wait()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return status.Signaled(), status.ExitStatus()
}

// Killed at a random moment, a command leaves each document old or new. The
// next command finishes it or takes it back, all of it, and leaves no litter;
// every third of those that mend is killed as well.
func TestKilledAtRandom(t *testing.T) {
	const kills = 304
	trials := rehearsals(t, changing)
	var cases []*trial
	for i := range kills {
		cases = append(cases, trials[i%len(trials)])
	}
	// How long a command takes changes with what else the machine does, so the
	// times are taken anew for another round if too few kills came early or late.
	for round := 1; !killedAtRandom(t, cases); round++ {
		if round == 5 {
			t.Error("the moments are badly spread")
			break
		}
	}
}

// killedAtRandom kills each command once, and reports whether the kills came at
// enough different stages.
func killedAtRandom(t *testing.T, cases []*trial) (spread bool) {
	usual := map[*trial]time.Duration{}
	for _, tr := range cases {
		if usual[tr] == 0 {
			dir := copyTree(t, tr.base)
			start := time.Now()
			succeed(t, dir, tr.args...)
			usual[tr] = time.Since(start)
		}
	}
	var mu sync.Mutex
	killed, again, found := 0, 0, map[string]int{}
	inTwo(cases, func(tr *trial) {
		soon := func() time.Duration { return time.Duration(rand.Int64N(int64(usual[tr]) * 3 / 2)) }
		dir := copyTree(t, tr.base)
		defer os.RemoveAll(filepath.Dir(dir))
		first, code := kill(t, dir, soon(), tr.args...)
		how, second := fmt.Sprintf("%q killed", tr.args), false
		if !first && code != 0 {
			t.Errorf("%q: exit %d", tr.args, code)
		}
		if first && rand.IntN(3) == 0 {
			kill(t, dir, soon(), tr.next...)
			second = true
			how += ", and the next one too"
		}
		at, after := tr.judge(t, dir, how, second)
		if !first && after != did {
			t.Errorf("%q was acknowledged and is gone", tr.args)
		}
		mu.Lock()
		defer mu.Unlock()
		if first {
			killed++
			found[after]++
		}
		if second {
			again++
		} else if at == half {
			found[half]++
		}
	})
	t.Logf("%d commands: %d killed before their end (%d times the mending command too): %d undone, %d done; %d stood halfway until the next command",
		len(cases), killed, again, found[undone], found[did], found[half])
	return killed >= len(cases)/2 && found[undone] >= len(cases)/10 && found[did] >= len(cases)/50
}

// A layout that is added moves the conversation. Killed at a random moment, it stands
// in its old home or in its new one, and the next command finishes the move.
func TestKilledWhileTheConversationMoves(t *testing.T) {
	const kills = 60
	base := newDir(t)
	succeed(t, base, "init")
	if err := os.WriteFile(filepath.Join(base, "talk.jsonl"), []byte(conversation(40)), 0o666); err != nil {
		t.Fatal(err)
	}
	succeed(t, base, "message", "import", "talk.jsonl")
	succeed(t, base, "compact", "--now")
	tr := rehearse(t, base, "init", "--layout", "both")
	start := time.Now()
	succeed(t, copyTree(t, base), tr.args...)
	usual := time.Since(start)
	inTwo(make([]struct{}, kills), func(struct{}) {
		dir := copyTree(t, base)
		defer os.RemoveAll(filepath.Dir(dir))
		killed, _ := kill(t, dir, time.Duration(rand.Int64N(int64(usual)*3/2)), tr.args...)
		tr.judge(t, dir, fmt.Sprintf("%q killed %t", tr.args, killed), false)
		if r := forgemind(t, dir, "message", "list"); strings.Count(r.out, "Step") != 10 {
			t.Errorf("the conversation is %v", r)
		}
	})
}

func decisionOf(t *testing.T, dir string) (id string) {
	t.Helper()
	left, err := os.ReadDir(filepath.Join(dir, ".forgemind/decisions"))
	if err != nil || len(left) == 0 {
		t.Fatalf("no decision: %v", err)
	}
	return strings.TrimSuffix(left[0].Name(), ".json")
}
