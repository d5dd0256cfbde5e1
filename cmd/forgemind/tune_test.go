package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A played tree is one that commands are run on, at times of the test's choice.
type played struct {
	*testing.T
	dir string
	now time.Time
}

// run runs a command at the present time and returns what it printed.
func (p *played) run(stdin string, argv ...string) string {
	p.Helper()
	program := testProgram(p.T)
	program.Stdin = strings.NewReader(stdin)
	program.Getwd = func() (string, error) { return p.dir, nil }
	program.Now = func() time.Time { return p.now }
	if code := program.run(context.Background(), append([]string{"forgemind"}, argv...)); code != 0 {
		p.Fatalf("%s: exit code %d: %s", strings.Join(argv, " "), code, program.Stderr)
	}
	return program.Stdout.(*bytes.Buffer).String()
}

// decode runs a command and reads the JSON that it printed.
func (p *played) decode(v any, argv ...string) {
	p.Helper()
	out := p.run("", append(argv, "--format", "json")...)
	if err := json.Unmarshal([]byte(out), v); err != nil {
		p.Fatalf("%s: %v:\n%s", strings.Join(argv, " "), err, out)
	}
}

// lines reads a log as anybody would who knows only JSON.
func (p *played) lines(log string) (all []map[string]any) {
	p.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, ".forgemind/logs/context", log+".jsonl"))
	if err != nil {
		p.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			p.Fatalf("%s: %v", log, err)
		}
		all = append(all, v)
	}
	return all
}

// workday returns a conversation about several things, of which the evening's prompt needs one.
func workday(start time.Time) string {
	var text strings.Builder
	for i := range 24 {
		topic := []string{"the pears along the south wall want lime", "the invoice of the mason is %d euros too high",
			"deploy step %d failed, for the token had expired", "lunch was late again"}[i%4]
		if strings.Contains(topic, "%d") {
			topic = fmt.Sprintf(topic, 100+i)
		}
		role, agent := "assistant", "BA Agent"
		if i%3 == 0 {
			role, agent = "user", "user"
		}
		line, _ := json.Marshal(map[string]string{
			"timestamp": start.Add(time.Duration(i) * 10 * time.Minute).Format(time.RFC3339), "agent": agent, "role": role,
			"content": fmt.Sprintf("On %s, at the hour %d: %s.", start.Weekday(), i/6, topic),
		})
		text.Write(append(line, '\n'))
	}
	return text.String()
}

// TestTuneAnswersForAPlayedWeek: what a week of commands leaves in the logs is
// counted as its lines are, and what was decided can be told again.
func TestTuneAnswersForAPlayedWeek(t *testing.T) {
	t.Parallel()
	p := &played{T: t, dir: t.TempDir(), now: time.Date(2026, 11, 16, 8, 0, 0, 0, time.UTC)}
	p.run("", "init")
	for range 5 {
		p.run(workday(p.now), "message", "import", "-")
		p.now = p.now.Add(4 * time.Hour)
		p.run("", "compact", "--now", "--strategy", "relevance", "--prompt", "lime for the pears on the south wall")
		p.now = p.now.Add(time.Hour)
		dropped := p.lines("drops")
		p.run("", "recover", "--chunk-id", dropped[len(dropped)-1]["chunk_id"].(string))
		p.run("", "recover", "--query", "the mason's invoice", "--limit", "2")
		p.now = p.now.Add(19 * time.Hour)
	}

	var tuned struct {
		Drops struct {
			Count    int
			ByReason []struct {
				Reason string
				Count  int
			} `json:"by_reason"`
			Histogram []struct{ Count int }
		}
		Compactions struct {
			Count, Saved int
		}
		Recoveries struct {
			Count, Manual int
			All           struct{ Drops, Recovered int }
		}
	}
	p.decode(&tuned, "tune")
	drops, compactions, recoveries := p.lines("drops"), p.lines("compaction"), p.lines("recovery")
	if len(drops) == 0 || len(compactions) != 5 || len(recoveries) == 0 {
		t.Fatalf("%d drops, %d compactions, %d recoveries", len(drops), len(compactions), len(recoveries))
	}

	reasons, scores, dropped, back, saved := map[string]int{}, make([]int, 10), map[any]int{}, 0, 0.0
	for _, d := range drops {
		reasons[d["reason"].(string)]++
		scores[min(int(math.Floor(d["relevance_score"].(float64)*10)), 9)]++
		dropped[d["chunk_id"]]++
	}
	for _, r := range recoveries {
		if dropped[r["chunk_id"]] > 0 {
			back++
			delete(dropped, r["chunk_id"])
		}
	}
	for _, c := range compactions {
		saved += c["tokens_before"].(float64) - c["tokens_after"].(float64)
	}
	counted := map[string]int{}
	for _, r := range tuned.Drops.ByReason {
		counted[r.Reason] = r.Count
	}
	if !maps.Equal(counted, reasons) || tuned.Drops.Count != len(drops) {
		t.Errorf("tune counts %v, the lines are %v", counted, reasons)
	}
	var buckets []int
	for _, b := range tuned.Drops.Histogram {
		buckets = append(buckets, b.Count)
	}
	if !slices.Equal(buckets, scores) {
		t.Errorf("tune counts %v, the lines are %v", buckets, scores)
	}
	if tuned.Compactions.Count != len(compactions) || tuned.Compactions.Saved != int(saved) {
		t.Errorf("tune tells of %+v, the lines of %d compactions that saved %v", tuned.Compactions, len(compactions), saved)
	}
	if r := tuned.Recoveries; r.Count != len(recoveries) || r.Manual != len(recoveries) || r.All.Recovered != back || back == 0 {
		t.Errorf("tune tells of %+v, the lines of %d recoveries of %d drops", r, len(recoveries), back)
	}

	var again struct {
		Replayed  int
		Still     struct{ Count int }   `json:"still_dropped"`
		Otherwise []struct{ Count int } `json:"no_knob_decides"`
		Drops     int
	}
	p.decode(&again, "tune", "--replay")
	others := 0
	for _, o := range again.Otherwise {
		others += o.Count
	}
	if again.Replayed == 0 || again.Still.Count != again.Replayed || again.Replayed+others != again.Drops {
		t.Errorf("by the knobs that were in force not every drop is dropped again: %+v", again)
	}

	for _, d := range drops {
		var told struct {
			Score  float64 `json:"relevance_score"`
			AddsUp bool    `json:"adds_up"`
			Terms  []struct{ Points float64 }
			Prompt string
			Words  []struct{ Word string }
		}
		p.decode(&told, "drops", "--explain", d["chunk_id"].(string))
		sum := 0.0
		for _, term := range told.Terms {
			sum += term.Points
		}
		if !told.AddsUp || sum != math.Round(1000*told.Score) || !strings.Contains(told.Prompt, "pears") {
			t.Errorf("%v: %+v", d["chunk_id"], told)
		}
	}
}
