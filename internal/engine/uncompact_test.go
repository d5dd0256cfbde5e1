package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// A story is a random sequence of imports, messages, compactions and their undoing
// in one tree, with what every undoing must give back.
type story struct {
	*house
	random *rand.Rand
	said   int
	before map[string][]string // by session: the conversation before each of its compactions
	lines  map[string]bool     // every line that a message was stored as
}

// layoutAt makes a tree with the homes of a layout, each with a conversation.
func layoutAt(t *testing.T, layout string) *house {
	t.Helper()
	root := t.TempDir()
	if layout != "quaid" {
		src, err := state.New("API", "session-2026-03-02-01", morning)
		if err != nil {
			t.Fatal(err)
		}
		write(t, root, fs.State, string(src))
	}
	if layout != "forgemind" {
		return converseAt(t, root)
	}
	return enter(t, root)
}

// Whatever is imported, said and compacted: every compaction of the live session is
// undone exactly, the newest first, and what was said since follows.
func TestStoriesOfCompactionsAreUndone(t *testing.T) {
	for i, layout := range []string{"forgemind", "quaid", "both"} {
		t.Run(layout, func(t *testing.T) {
			t.Parallel()
			for seed := range seeds(t, 12) {
				tellStory(t, layout, rand.New(rand.NewPCG(uint64(i), uint64(seed))))
				if t.Failed() {
					t.Fatalf("story %d", seed)
				}
			}
		})
	}
}

// tellStory takes steps at random in a tree of a layout, and then undoes every compaction.
func tellStory(t *testing.T, layout string, random *rand.Rand) {
	t.Helper()
	s := &story{house: layoutAt(t, layout), random: random, before: map[string][]string{}, lines: map[string]bool{}}
	defer s.Close()
	for range 5 + s.random.IntN(15) {
		s.step()
	}
	for len(s.before[s.owner()]) > 0 && !t.Failed() {
		s.undo()
	}
}

func (s *story) step() {
	switch n := s.random.IntN(10); {
	case n < 2:
		s.talk(1+s.random.IntN(40), true)
	case n < 6:
		s.talk(1+s.random.IntN(12), false)
	case n < 9:
		s.compact()
	default:
		s.undo()
	}
}

// owner is the session that is live, "" for the conversation of `.forgemind/`.
func (s *story) owner() string {
	s.t.Helper()
	name, err := session.LiveName(s)
	if err != nil {
		s.t.Fatal(err)
	}
	if name == fs.Messages {
		return ""
	}
	return s.active()
}

// window is the text of the live conversation.
func (s *story) window() string {
	name, _ := session.LiveName(s)
	return s.maybe(name)
}

func (s *story) maybe(name string) string {
	src, err := os.ReadFile(filepath.Join(s.root, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.t.Fatal(err)
	}
	return string(src)
}

func (s *story) talk(n int, imported bool) {
	s.t.Helper()
	var messages []schema.Message
	for range n {
		s.said++
		m := schema.Message{
			ID: fmt.Sprintf("m-%d", s.said), Role: []string{"user", "assistant"}[s.random.IntN(2)],
			Content:   fmt.Sprintf("message %d: the token of request %d expires. %s", s.said, s.random.IntN(9), strings.Repeat("The database says why. ", s.random.IntN(12))),
			Timestamp: fmt.Sprintf("2026-03-02T%02d:%02d:00.000Z", s.said/60%24, s.said%60),
		}
		messages = append(messages, m)
	}
	var err error
	if imported {
		_, _, err = s.Import(context.Background(), transcript.Transcript{Messages: messages})
	} else {
		_, _, err = s.Say(context.Background(), messages)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.note()
}

// note remembers the lines of messages that are in the files of all conversations.
func (s *story) note() {
	for name, err := range s.Names(".") {
		if err != nil {
			s.t.Fatal(err)
		}
		if fs.Place(name) != fs.DocMessage {
			continue
		}
		for _, line := range session.Read([]byte(s.read(name))) {
			if line.Err == nil && line.Message.Kind != "summary" {
				s.lines[string(line.Raw)] = true
			}
		}
	}
}

func (s *story) compact() {
	s.t.Helper()
	before := s.window()
	done, _, err := s.Compact(context.Background(), engine.Compaction{
		Strategy: []string{compact.PSD, compact.Relevance, compact.Adaptive, compact.SessionSummary}[s.random.IntN(4)],
		Budget:   []int{0, 100, 300, 530}[s.random.IntN(4)], Now: true,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if done.ID != "" {
		s.before[s.owner()] = append(s.before[s.owner()], before)
	}
	s.everything()
}

func (s *story) undo() {
	s.t.Helper()
	owner := s.owner()
	had := session.Read([]byte(s.window()))
	_, _, _, err := s.Uncompact(context.Background())
	stack := s.before[owner]
	if len(stack) == 0 {
		if !errors.Is(err, engine.ErrNotCompacted) {
			s.t.Errorf("nothing is to be undone: %v", err)
		}
		return
	}
	want := stack[len(stack)-1]
	s.before[owner] = stack[:len(stack)-1]
	newer, ok := strings.CutPrefix(s.window(), want)
	if err != nil || !ok {
		s.t.Errorf("%v\ngot  %s\nwant %s", err, s.window(), want)
		return
	}
	at := 0
	for _, line := range session.Read([]byte(newer)) {
		i := slices.IndexFunc(had[at:], func(l session.Line) bool { return bytes.Equal(l.Raw, line.Raw) })
		if i < 0 {
			s.t.Errorf("behind what was restored is %s", line.Raw)
			return
		}
		at += i + 1
	}
	s.everything()
}

// everything holds that each message stands once, in the exact bytes of its line:
// in a conversation, in its archive or in cold storage.
func (s *story) everything() {
	s.t.Helper()
	stands := map[string]int{}
	for name, err := range s.Names(".") {
		if err != nil {
			s.t.Fatal(err)
		}
		if fs.Place(name) == fs.DocMessage {
			for line := range strings.Lines(s.read(name)) {
				stands[strings.TrimSuffix(line, "\n")]++
			}
		}
	}
	chunks, faults, err := cold.List(s)
	if err != nil || len(faults) > 0 {
		s.t.Fatal(err, faults)
	}
	for _, chunk := range chunks {
		if len(chunk.Message) > 0 {
			stands[string(chunk.Message)]++
		}
	}
	for line := range s.lines {
		if stands[line] != 1 {
			s.t.Errorf("%d times there: %s", stands[line], line)
		}
	}
}

// A compaction of a session that ended is undone once that session is active again,
// and until then the error names it.
func TestACompactionOfAnEndedSessionIsUndone(t *testing.T) {
	s := &story{house: layoutAt(t, "quaid"), random: rand.New(rand.NewPCG(1, 2)), before: map[string][]string{}, lines: map[string]bool{}}
	s.talk(22, false)
	s.compact()
	first := s.owner()
	if len(s.before[first]) != 1 {
		t.Fatal("nothing was compacted")
	}
	s.talk(15, false)
	if _, _, err := s.ArchiveSession(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	_, _, _, err := s.Uncompact(context.Background())
	var ended *engine.EndedCompactionError
	if !errors.As(err, &ended) || ended.Session != first || !errors.Is(err, engine.ErrNotCompacted) {
		t.Fatalf("the error is %v", err)
	}
	if _, _, err := s.RestoreSession(context.Background(), first); err != nil {
		t.Fatal(err)
	}
	s.undo()
}

// What a person edited is named, and nothing is changed.
func TestAnEditedLineIsNamed(t *testing.T) {
	s := &story{house: layoutAt(t, "quaid"), random: rand.New(rand.NewPCG(3, 4)), before: map[string][]string{}, lines: map[string]bool{}}
	s.talk(20, false)
	s.compact()
	kept := session.Messages(session.Read([]byte(s.window())))
	if len(kept) < 3 {
		t.Fatalf("%d messages are left", len(kept))
	}
	m := kept[1]
	s.save(session.Window(s.owner()), m.Content, "edited")
	before := s.window()
	_, _, _, err := s.Uncompact(context.Background())
	var changed *session.Changed
	if !errors.As(err, &changed) || !strings.Contains(err.Error(), m.ID) || s.window() != before {
		t.Errorf("the error is %v", err)
	}
}
