//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Whatever commands run in whatever order, none leaves a finding behind. What
// audit says of texts that a later decision or answer overtook is about what the
// texts say, and is left out.
func TestCommandsLeaveNoFindings(t *testing.T) {
	for _, layout := range []string{"forgemind", "quaid", "both"} {
		for seed := range uint64(atLength(8, 1)) {
			t.Run(fmt.Sprintf("%s/%d", layout, seed), func(t *testing.T) {
				t.Parallel()
				o := &operator{T: t, dir: newDir(t), random: rand.New(rand.NewPCG(seed, 1))}
				git(t, o.dir, "init", "-q")
				succeed(t, o.dir, "init", "--layout", layout)
				if err := os.WriteFile(filepath.Join(o.dir, "api.md"), []byte("# API\n\nA token.\n"), 0o644); err != nil {
					t.Fatal(err)
				}
				for range 120 {
					args := o.command()
					r := forgemind(t, o.dir, args...)
					o.done = append(o.done, fmt.Sprintf("%d %q", r.code, args))
					if r.code == 0 {
						o.examine()
					}
					if t.Failed() {
						t.Logf("after:\n%s", strings.Join(o.done, "\n"))
						return
					}
				}
			})
		}
	}
}

// An operator runs commands of every kind.
type operator struct {
	*testing.T
	dir    string
	random *rand.Rand
	done   []string
}

func pick[T any](o *operator, all ...T) T { return all[o.random.IntN(len(all))] }

func (o *operator) text() string {
	words := make([]string, 4+o.random.IntN(10))
	for i := range words {
		words[i] = pick(o, "API", "token", "database", "cache", "login", "queue")
	}
	return fmt.Sprintf("%s %d", strings.Join(words, " "), o.random.IntN(1000))
}

// one is the id of something that a command lists.
func (o *operator) one(list ...string) string {
	r := forgemind(o.T, o.dir, append(list, "--format", "json")...)
	var members map[string]json.RawMessage
	json.Unmarshal([]byte(r.out), &members)
	for _, raw := range members {
		var items []struct {
			ID      string `json:"id"`
			Session string `json:"session_id"`
		}
		if json.Unmarshal(raw, &items) == nil && len(items) > 0 {
			item := pick(o, items...)
			return item.ID + item.Session
		}
	}
	return "none"
}

// talk writes a conversation to be imported.
func (o *operator) talk() string {
	var lines []byte
	for range 5 + o.random.IntN(30) {
		line, err := json.Marshal(map[string]string{"role": pick(o, "user", "assistant"), "content": o.text()})
		if err != nil {
			o.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
	}
	if err := os.WriteFile(filepath.Join(o.dir, "talk.jsonl"), lines, 0o644); err != nil {
		o.Fatal(err)
	}
	return "talk.jsonl"
}

func (o *operator) command() []string {
	return pick(o,
		func() []string { return []string{"decision", "add", o.text(), "--rationale", o.text()} },
		func() []string { return []string{"decision", "supersede", o.one("decision", "list"), o.text()} },
		func() []string { return []string{"decision", "promote", o.one("decision", "list")} },
		func() []string { return []string{"goal", "add", o.text()} },
		func() []string { return []string{"goal", "complete", o.one("goal", "list")} },
		func() []string { return []string{"constraint", "add", o.text()} },
		func() []string { return []string{"question", "ask", o.text()} },
		func() []string { return []string{"question", "answer", o.one("question", "list"), o.text()} },
		func() []string { return []string{"action", "add", o.text()} },
		func() []string { return []string{"action", "done", o.one("action", "list")} },
		func() []string { return []string{"message", "add", o.text(), "--agent", pick(o, "ann", "bob")} },
		func() []string { return []string{"message", "import", o.talk()} },
		func() []string { return []string{"compact", "--now", "--budget", pick(o, "60", "200", "500")} },
		func() []string { return []string{"uncompact"} },
		func() []string { return []string{"cold-storage", "expire"} },
		func() []string { return []string{"reset", "--name", filepath.Base(o.dir)} },
		func() []string { return []string{"sessions", "archive", "--title", o.text()} },
		func() []string { return []string{"sessions", "restore", o.one("sessions", "list")} },
		func() []string { return []string{"sessions", "new", "--title", o.text()} },
		func() []string { return []string{"layer", fmt.Sprint(o.random.IntN(6))} },
		func() []string { return []string{"clarity", fmt.Sprint(o.random.IntN(101))} },
		func() []string { return []string{"facilitator", "backtrack"} },
		func() []string { return []string{"memory", "add", "--type", "lesson_learned", o.text()} },
		func() []string { return []string{"file", "add", "api.md"} },
		func() []string { return []string{"load", "api.md"} },
		func() []string { return []string{"unload", o.one("artifacts")} },
		func() []string { return []string{"thread", "open", o.text(), "--channel", "api", "--agent", "ann"} },
		func() []string {
			return []string{"thread", "post", o.one("thread", "list"), "Decision: we use " + o.text() + ", because it fits.", "--agent", "bob"}
		},
		func() []string { return []string{"condense", o.one("thread", "list")} },
		func() []string { return []string{"projects", "new", o.text()} },
		func() []string { return []string{"handoff", "add", o.text()} },
		func() []string { return []string{"health"} },
		func() []string { return []string{"assemble", "--query", o.text()} },
		func() []string {
			return []string{"slash", "/log_decision Use " + o.text() + " because " + o.text()}
		},
	)()
}

var (
	auditKind   = regexp.MustCompile(`(?m) \[([a-z-]+)\]$`)
	doctorWrong = regexp.MustCompile(`(?m)^(error|warning) `)
)

// examine holds that nothing finds anything wrong.
func (o *operator) examine() {
	for _, command := range []string{"validate --strict", "cold-storage verify", "doctor"} {
		r := forgemind(o.T, o.dir, strings.Fields(command)...)
		if r.code != 0 || command == "doctor" && doctorWrong.MatchString(r.out) {
			o.Errorf("%v", r)
		}
	}
	r := forgemind(o.T, o.dir, "audit")
	for _, m := range auditKind.FindAllStringSubmatch(r.out, -1) {
		if !strings.HasPrefix(m[1], "superseded-") && m[1] != "answered-question" {
			o.Errorf("%v", r)
		}
	}
}
