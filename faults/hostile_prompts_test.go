//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// prompts are words to ask for, or to say.
var prompts = map[string]string{
	"nothing": "", "blank": " \t\n", "half a megabyte of one word": strings.Repeat("x", 100_000), "a hundred thousand bytes of words": strings.Repeat("kiln plumb ", 11_000), "stop words": "the and of which is it that", "CJK": "石灰砂漿牆壁",
	"emoji": "🧱🧱👩‍👩‍👧‍👦", "not UTF-8": "\xff\xfe\x80kiln", "escapes": "\x1b[2J\x1b]0;x\x07kiln", "marks": strings.Repeat("\u0301", 5000), "directions": "\u202ekiln", "an option": "--now", "a minus": "-",
}

// A prompt can be anything, and so can a budget: what there is to say is said, and
// nothing is lost.
func TestHostilePrompts(t *testing.T) {
	base := longTalk(t)
	s := suite{base: base, checks: []check{after(endsOrderly), after(keepsTheBudget), keepsOnce(soundHoldings(t, base).talk)}}
	for _, what := range slices.Sorted(maps.Keys(prompts)) {
		p := prompts[what]
		var asked []invocation
		for _, args := range [][]string{
			{"compact", "--now", "--budget", "700", "--prompt", p}, {"recover", "--query", p}, {"assemble", "--query", p, "--format", "json"}, {"message", "add", "--agent", "user", "--", p},
		} {
			asked = append(asked, invocation{args: args})
		}
		s.hazards = append(s.hazards, hazard{what: what, put: nothing, invocations: asked})
	}
	for _, budget := range []string{"1", "2", "17", "100", "0", "-1", "9223372036854775807", "99999999999999999999", "1e3", "x"} {
		s.hazards = append(s.hazards, hazard{what: "a budget of " + budget, put: nothing, invocations: invocations("all: compact --now --strategy relevance --format json --budget " + budget)})
	}
	s.run(t)
}

func endsOrderly(s *setup, r run) {
	s.must(r, r.code >= 0 && r.code <= 3, "not an exit code")
	s.must(r, r.code == 0 || strings.TrimSpace(r.out+r.err) != "", "it says nothing")
	command, bad := s.invocation.args[0], control.FindString(r.out+r.err)
	s.must(r, bad == "" || command == "assemble" || command == "recover", "a terminal gets %q", bad)
}

func keepsTheBudget(s *setup, r run) {
	args := s.invocation.args
	budget, err := strconv.Atoi(args[len(args)-1])
	if err != nil || budget <= 0 || args[0] != "compact" {
		return
	}
	var plan struct {
		After *int `json:"tokens_after"`
	}
	err = json.Unmarshal([]byte(r.out), &plan)
	s.must(r, err == nil && plan.After != nil && *plan.After <= budget, "it is above the budget")
}

// keepsOnce checks that each line stands once, in the conversation or in cold storage.
func keepsOnce(lines map[string]int) check {
	return after(func(s *setup, r run) {
		now, _ := holdings(s.dir)
		for line := range lines {
			n := now.talk[line] + now.cold[line]
			s.must(r, n == 1, "it stands %d times: %.200s", n, line)
		}
	})
}

// Pins that are above the budget keep a compaction from being done.
func TestHostilePromptsPins(t *testing.T) {
	dir := longTalk(t)
	succeed(t, dir, "message", "add", strings.Repeat("Never fell the pear tree. ", 300), "--agent", "user", "--priority", "critical")
	said := soundHoldings(t, dir)
	r := forgemind(t, dir, "compact", "--now", "--strategy", "relevance", "--budget", "100")
	if r.code != 1 || !strings.Contains(r.out+r.err, "pin") || !maps.Equal(soundHoldings(t, dir).talk, said.talk) {
		t.Errorf("%v", r)
	}
}

// A megabyte, which does not go through arguments, can be said, and forgotten.
func TestHostilePromptsOfAMegabyte(t *testing.T) {
	s := suite{base: longTalk(t), checks: []check{after(takesWords)}}
	for _, word := range []string{"kiln plumb ", "x", "石", "🧱", "((((", "\n\n"} {
		v := invocations("all: message add - --agent user")[0]
		v.stdin = strings.Repeat(word, 1<<20/len(word))
		v.then = invocations("all: compact --now --budget 700 --strategy relevance; uncompact")
		s.hazards = append(s.hazards, hazard{what: fmt.Sprintf("%q", word), put: nothing, invocations: []invocation{v}})
	}
	s.run(t)
}

// takesWords checks that words are taken, and nothing else, and that what comes
// after them is small and finds nothing worse than nothing to do.
func takesWords(s *setup, r run) {
	if s.invocation.args[0] == "message" {
		blank := strings.TrimSpace(s.invocation.stdin) == ""
		s.must(r, r.code <= 2 && (r.code == 0) != blank, "words are to be taken")
		return
	}
	s.must(r, r.code <= 1, "it fails")
	isSmall(s, r)
}
