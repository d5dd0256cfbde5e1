//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
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
				file(t, o.dir, "api.md", "# API\n\nA token.\n")
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

// one returns the id of something that a command lists.
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
	var lines strings.Builder
	for range 5 + o.random.IntN(30) {
		lines.WriteString(asJSON(map[string]string{"role": pick(o, "user", "assistant"), "content": o.text()}) + "\n")
	}
	file(o.T, o.dir, "talk.jsonl", lines.String())
	return "talk.jsonl"
}

// operations are the commands of an operator: words in capitals stand for something that is
// drawn for each command, ID-x for the id of something that "x list" lists.
var operations = parse(`
decision add TEXT --rationale TEXT; decision supersede ID-decision TEXT; decision promote ID-decision
goal add TEXT; goal complete ID-goal; constraint add TEXT; question ask TEXT; question answer ID-question TEXT; action add TEXT; action done ID-action
message add TEXT --agent AGENT; message import TALK; compact --now --budget BUDGET; uncompact; cold-storage expire; reset --name TREE
sessions archive --title TEXT; sessions restore ID-sessions; sessions new --title TEXT
layer LAYER; clarity CLARITY; facilitator backtrack; memory add --type lesson_learned TEXT; file add api.md; load api.md; unload ARTIFACT
thread open TEXT --channel api --agent ann; thread post ID-thread "Decision: we use TEXT, because it fits." --agent bob; condense ID-thread
projects new TEXT; handoff add TEXT; health; assemble --query TEXT; slash "/log_decision Use TEXT because TEXT"
`)

var drawn = regexp.MustCompile(`ID-[a-z]+|\b[A-Z]{4,}\b`)

func (o *operator) command() (args []string) {
	for _, arg := range pick(o, operations...) {
		args = append(args, drawn.ReplaceAllStringFunc(arg, func(word string) string {
			switch word {
			case "TEXT":
				return o.text()
			case "AGENT":
				return pick(o, "ann", "bob")
			case "TALK":
				return o.talk()
			case "BUDGET":
				return pick(o, "60", "200", "500")
			case "TREE":
				return filepath.Base(o.dir)
			case "LAYER":
				return fmt.Sprint(o.random.IntN(6))
			case "CLARITY":
				return fmt.Sprint(o.random.IntN(101))
			case "ARTIFACT":
				return o.one("artifacts")
			}
			return o.one(strings.TrimPrefix(word, "ID-"), "list")
		}))
	}
	return args
}

var (
	auditKind   = regexp.MustCompile(`(?m) \[([a-z-]+)\]$`)
	doctorWrong = regexp.MustCompile(`(?m)^(error|warning) `)
)

// examine checks that no command finds anything wrong.
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
