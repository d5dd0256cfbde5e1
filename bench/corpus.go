//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// stateSize is the approximate length of a State of the corpus.
const stateSize = 7000 // bytes

var vocabulary = strings.Fields(`the module keeps every layer apart so that a reader finds what was decided and why before
	anything is written again an agent asks the boss only where two answers are possible tide tables need a harbour a date and a
	datum billing follows the ledger entries of one month naïve dates in Zürich and Málaga break twice a year 設計 は 一 つ \ / "quoted"`)

// An author writes texts that are the same in each run.
type author struct{ *rand.Rand }

func newAuthor(n int) author { return author{rand.New(rand.NewPCG(7, uint64(n)))} }

func (a author) words(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = vocabulary[a.IntN(len(vocabulary))]
	}
	return strings.Join(out, " ")
}

// state returns a valid State, the n-th. Its live form names no files that would have
// to exist in the tree.
func state(n int, live bool) ([]byte, error) {
	a := newAuthor(n)
	begin := time.Date(2025, 10, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(n) * 47 * time.Minute)
	at := func(minutes int) string { return schema.FormatTime(begin.Add(time.Duration(minutes) * time.Minute)) }
	layer := a.IntN(6)
	layerName, _ := schema.LayerName(layer)
	s := schema.State{
		Version: "1.0", Schema: schema.Schema,
		Metadata: &schema.Metadata{
			Timestamp: at(60), SessionID: fmt.Sprintf("session-%06d", n), SessionStart: at(0), DurationMinutes: 60,
			LastUpdatedBy: "Facilitator Agent",
		},
		Role: &schema.Role{
			Agent: "Facilitator Agent", AgentID: "L1-EXEC-001", AgentVersion: "1.4", Mode: "Boss Mode",
			Capabilities: []string{"clarify", "coordinate", "track_clarity", "manage_files"},
		},
		Project: &schema.Project{
			Name: a.words(3), ID: fmt.Sprintf("PROJ-%04d", n%500), CurrentIdea: "IDEA-001", CurrentLayer: schema.Int(layer),
			LayerName: layerName, Clarity: float64(a.IntN(101)), Status: "In Progress",
		},
		AvailableCommands: schema.DefaultCommands(),
		SessionStats: &schema.SessionStats{
			MessagesExchanged: schema.Int(a.IntN(200)), FilesUpdated: schema.Int(a.IntN(20)), CommandsExecuted: schema.Int(a.IntN(50)),
		},
	}
	used := 0
	for i := range 3 + a.IntN(3) {
		tokens := 500 + a.IntN(9000)
		loaded := !live && a.IntN(3) > 0
		if loaded {
			used += tokens
		}
		s.LoadedArtifacts = append(s.LoadedArtifacts, schema.Artifact{
			Type: "module", ID: fmt.Sprintf("MODULE-%03d", i), Name: a.words(3), Path: fmt.Sprintf(".dev/current/modules/MODULE-%03d/current.md", i),
			Loaded: loaded, LoadLayer: 2, SizeKB: float64(tokens) / 300, Tokens: schema.Int(tokens), LoadTime: at(10 + i),
			LastAccessed: at(20 + i), AccessCount: schema.Int(a.IntN(30)),
		})
	}
	messages := 10_000 + a.IntN(40_000)
	s.ContextWindow = window(used, messages)
	s.ContextWindow.LastCompaction = at(5)
	for i := range 3 + a.IntN(3) {
		s.RecentDecisions = append(s.RecentDecisions, decision(a, fmt.Sprintf("DEC-%06d", 10*n+i), at(i)))
	}
	for i := range 2 + a.IntN(3) {
		on := schema.Int(layer)
		s.PendingActions = append(s.PendingActions, schema.Action{
			ID: fmt.Sprintf("ACT-%03d", i), Action: a.words(8), Priority: "P1", Layer: &on, BlockedBy: schema.IDs{a.words(5)},
			EstimatedMinutes: 30, AssignedTo: "Architect Agent", Created: at(i), Due: at(600),
		})
	}
	s.OpenQuestions = []schema.Question{{
		ID: "Q-001", Question: a.words(9), Context: a.words(20), AskedBy: "Facilitator Agent", AskedAt: at(30), Status: "awaiting_answer",
		Priority: "high", Blocking: []string{"ACT-001"},
	}}
	if live { // what a view alone has, a watcher would take into the Ledger
		s.RecentDecisions = nil
	}
	text, err := jsonedit.Marshal(s)
	if missing := stateSize - len(text); err == nil && missing > 0 {
		s.OpenQuestions[0].Context += " " + a.words(missing/6)
		text, err = jsonedit.Marshal(s)
	}
	return text, err
}

// window returns a context window with the given tokens of artifacts and of messages.
func window(used, messages int) *schema.Window {
	const total = 200_000
	used += messages
	return &schema.Window{
		TotalTokens: total, UsedTokens: schema.Int(used), UsagePercent: 100 * float64(used) / total, AvailableTokens: schema.Int(total - used),
		OtherTokens: map[string]schema.Int{"messages": schema.Int(messages)}, CompactionThreshold: 70, EmergencyThreshold: 90,
		CompressionsThisSession: 1,
	}
}

func decision(a author, id, at string) schema.Decision {
	return schema.Decision{
		ID: id, Timestamp: at, Decision: a.words(9), Rationale: a.words(16), Impact: []string{a.words(4), a.words(4)},
		DecisionMaker: "Boss", RecordedBy: "Facilitator Agent", Immutable: true,
	}
}

// snapshotName returns the name of the n-th snapshot.
func snapshotName(n int) string { return fmt.Sprintf("%s/session-%06d.json", fs.History, n) }

// put writes a file below dir, and the directories above it.
func put(dir, name string, text []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

// putStates makes a tree below dir with a live State and snapshots, n States
// in all, those from first on. It returns their paths below dir.
func putStates(dir, project string, first, n int) ([]string, error) {
	var paths []string
	for i := range n {
		name := snapshotName(first + i)
		if i == 0 {
			name = fs.State
		}
		text, err := state(first+i, i == 0)
		if err != nil {
			return nil, err
		}
		name = filepath.Join(project, filepath.FromSlash(name))
		if err := put(dir, name, text); err != nil {
			return nil, err
		}
		paths = append(paths, name)
	}
	return paths, nil
}
