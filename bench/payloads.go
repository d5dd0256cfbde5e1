//go:build linux

package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// recorded is where the payloads stand that agents were seen to send, a folder for each agent:
// EVENT.json, or EVENT.WHAT.json.
const recorded = "internal/hook/testdata/payloads"

// session matches the member of a payload that says which session it is.
var session = regexp.MustCompile(`("(?:session_id|sessionId|conversation_id)": ?"[^"]+)`)

// A payload is an event of an agent, as it was recorded.
type payload struct{ agent, event, text string }

// payloads measures the hooks of all agents over recorded payloads, each a whole process, in a tree
// of 10,000 decisions and as many messages. Each round is another session of every agent.
func (b *bench) payloads() error {
	dir := filepath.Join(b.dir, "recorded")
	n := b.tenth(10_000)
	if _, err := putDecided(dir, n, n); err != nil {
		return err
	}
	governed := `{"id": "DEC-WALL", "timestamp": "2025-06-01T08:00:00Z", "decision": "Lime mortar only", "immutable": true, "files": ["walls/south.md"]}`
	for name, text := range map[string]string{"walls/south.md": "lime\n", fs.Forgemind + "/" + fs.DecisionsDir + "/DEC-WALL.json": governed} {
		if err := put(dir, name, []byte(text)); err != nil {
			return err
		}
	}
	events, err := recordedPayloads()
	if err != nil {
		return err
	}
	var all []float64
	took := map[string][]float64{} // by moment
	for round := range b.runs + 1 {
		for _, e := range events {
			wall, err := e.run(b.binary, dir, round)
			if err != nil {
				return err
			}
			if round > 0 { // the index is there, as it is in a tree that is used
				all = append(all, wall)
				took[e.event] = append(took[e.event], wall)
			}
		}
	}
	var slow []string
	for _, event := range slices.Sorted(maps.Keys(took)) {
		if p := quantile(took[event], 0.5); p > 30 {
			slow = append(slow, fmt.Sprintf("%s %s", event, number(p)))
		}
	}
	note := "medians above 30: " + strings.Join(slow, ", ")
	if len(slow) == 0 {
		note = ""
	}
	what := fmt.Sprintf("%d recorded payloads, %d decisions: ", len(events), n)
	b.add("payloads", what+"median", quantile(all, 0.5), "ms", "<= 30", note)
	b.add("payloads", what+"p99", quantile(all, 0.99), "ms", "<= 100", fmt.Sprintf("most %s", number(slices.Max(all))))
	return nil
}

// recordedPayloads returns the payloads of every agent.
func recordedPayloads() (all []payload, err error) {
	files, err := filepath.Glob(recorded + "/*/*.json")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s: no payloads: %v", recorded, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		event, _, _ := strings.Cut(filepath.Base(file), ".")
		all = append(all, payload{filepath.Base(filepath.Dir(file)), event, string(text)})
	}
	return all, nil
}

// run runs the hook of the event in dir, and returns how long it took, in milliseconds.
func (p payload) run(binary, dir string, round int) (float64, error) {
	text := strings.NewReplacer("$ROOT", dir, "$TRANSCRIPT", filepath.Join(dir, "transcripts")).Replace(p.text)
	text = session.ReplaceAllString(text, fmt.Sprintf("$1-%d", round))
	command := exec.Command(binary, "hook", "run", p.event, "--agent", p.agent)
	command.Dir = dir
	command.Stdin = strings.NewReader(text)
	var told bytes.Buffer
	command.Stderr = &told
	start := time.Now()
	err := command.Run()
	wall := time.Since(start)
	if err != nil || told.Len() > 0 {
		return 0, fmt.Errorf("hook run %s --agent %s: %v: %s", p.event, p.agent, err, &told)
	}
	return ms(wall), nil
}
