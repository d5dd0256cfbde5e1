package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// A lexicon is a model that knows which words mean the same.
type lexicon struct {
	sent   []string
	fails  error
	before func()
	wider  int // dimensions more
}

var fields = [][]string{{"fruit", "pear", "apple", "harvest"}, {"stone", "mortar", "masonry", "lime"}, {"money", "price", "budget", "cost"}}

func (l *lexicon) embed(ctx context.Context, texts []string) ([][]float32, error) {
	if l.before != nil {
		l.before()
	}
	if err := errors.Join(ctx.Err(), l.fails); err != nil {
		return nil, err
	}
	l.sent = append(l.sent, texts...)
	var all [][]float32
	for _, text := range texts {
		v := make([]float32, len(fields)+1+l.wider)
		v[len(fields)] = 0.1
		for i, words := range fields {
			for _, word := range words {
				v[i] += float32(strings.Count(strings.ToLower(text), word))
			}
		}
		all = append(all, v)
	}
	return all, nil
}

// meant is a tree where embeddings are asked for, at a root that may have one.
func meant(t *testing.T, root string, l *lexicon) *house {
	t.Helper()
	now := morning.Add(time.Hour)
	tree, err := engine.Open(root, engine.Edge{
		Now: func() time.Time { now = now.Add(time.Minute); return now }, Random: rand.NewChaCha8([32]byte{9}),
		Embed: func() (engine.Embedder, error) { return engine.Embedder{Name: "lexicon", Embed: l.embed}, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return &house{tree, t, root}
}

// The talk is about three fields, in words that a prompt need not share.
func fieldTalk() (all []schema.Message) {
	texts := []string{"The masonry takes three parts of lime.", "A pear needs a warm wall.", "The budget is spent by May.", "Nobody came on Sunday, it rained all day long."}
	for i := range 40 {
		all = append(all, schema.Message{
			ID: fmt.Sprintf("m-%02d", i), Role: "assistant", Timestamp: fmt.Sprintf("2026-03-01T08:%02d:00Z", i),
			Content: fmt.Sprintf("%s That was note %d.", texts[i%len(texts)], i),
		})
	}
	return all
}

// similarities are those of the messages that a plan compared, by what they say.
func similarities(done engine.Compacted, all []schema.Message, about string) (least, most float64) {
	least = 2
	for _, s := range done.Steps {
		if i := slices.IndexFunc(all, func(m schema.Message) bool { return m.ID == s.ID }); i >= 0 && strings.Contains(all[i].Content, about) && s.Parts != nil {
			least, most = min(least, s.Parts.Similarity), max(most, s.Parts.Similarity)
		}
	}
	return least, most
}

// What means the same as the prompt in other words stays rather than what does not,
// and no text is sent twice.
func TestMeaningsDecideToo(t *testing.T) {
	t.Parallel()
	h := build(t)
	all := fieldTalk()
	h.say(all...)
	l := &lexicon{}
	h = meant(t, h.root, l)
	h.DryRun = true
	done, out, err := h.Compact(t.Context(), engine.Compaction{Strategy: "relevance", Budget: 300, Now: true, Prompt: "stone walls"})
	if err != nil || len(out.Notes) > 0 {
		t.Fatal(out.Notes, err)
	}
	near, _ := similarities(done, all, "masonry")
	_, far := similarities(done, all, "budget")
	if near <= far {
		t.Errorf("masonry is compared to %v with stone walls, the budget to %v", near, far)
	}
	if len(l.sent) < 20 || !slices.Contains(l.sent, "stone walls") {
		t.Errorf("sent %q", l.sent)
	}
	sent := len(l.sent)
	if _, _, err = h.Compact(t.Context(), engine.Compaction{Strategy: "relevance", Budget: 300, Now: true, Prompt: "stone walls"}); err != nil || len(l.sent) != sent {
		t.Errorf("again %d texts were sent, %v", len(l.sent)-sent, err)
	}
	// Another program finds what this one kept.
	other := &lexicon{}
	h = meant(t, h.root, other)
	if _, _, err = h.Compact(t.Context(), engine.Compaction{Strategy: "relevance", Budget: 300, Now: true, Prompt: "what does it cost?"}); err != nil || !slices.Equal(other.sent, []string{"what does it cost?"}) {
		t.Errorf("another program sent %q, %v", other.sent, err)
	}
}

// Kept vectors are a convenience: damaged ones are asked for again.
func TestKeptVectorsThatAreDamaged(t *testing.T) {
	t.Parallel()
	for what, damage := range map[string]func([]byte) []byte{
		"cut":     func(b []byte) []byte { return b[:len(b)-3] },
		"flipped": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"empty":   func([]byte) []byte { return nil },
		"other":   func([]byte) []byte { return []byte("forgemind vectors 2\n") },
	} {
		h := build(t)
		h.say(fieldTalk()...)
		l := &lexicon{}
		h = meant(t, h.root, l)
		ask := engine.Compaction{Strategy: "relevance", Budget: 300, Now: true, Prompt: "stone walls"}
		h.DryRun = true
		if _, _, err := h.Compact(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
		sent := len(l.sent)
		files, err := filepath.Glob(filepath.Join(h.root, fs.LocalName(fs.Forgemind, "index", "vectors-*")))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		src, err := os.ReadFile(files[0])
		if err == nil {
			err = os.WriteFile(files[0], damage(src), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := h.Compact(t.Context(), ask); err != nil || len(l.sent) != 2*sent {
			t.Errorf("%s: %d texts were sent, then %d, %v", what, sent, len(l.sent)-sent, err)
		}
	}
}

// If the server fails, messages are compacted and found anyway, and a note says so.
func TestWithoutAnswersFullTextDecides(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.say(fieldTalk()...)
	ask := engine.Compaction{Strategy: "relevance", Budget: 300, Now: true, Prompt: "masonry"}
	h.DryRun = true
	want, _, err := h.Compact(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	h = meant(t, h.root, &lexicon{fails: errors.New("status 500")})
	done, out, err := h.Compact(t.Context(), ask)
	if err != nil || len(out.Notes) != 1 || !strings.Contains(out.Notes[0], "only full text was used for relevance: status 500") {
		t.Fatalf("%v, %v", out.Notes, err)
	}
	if done.TokensAfter > 300 || done.ID == "" || len(want.Steps) != len(done.Steps) {
		t.Errorf("%+v", done)
	}
	found, out, err := h.Recover(t.Context(), engine.Recovery{Query: "the budget in May", Limit: 3})
	if err != nil || len(out.Notes) != 1 || len(found) == 0 {
		t.Errorf("%d found, %v, %v", len(found), out.Notes, err)
	}
	if _, _, _, err := h.Uncompact(t.Context()); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	h = meant(t, h.root, &lexicon{before: cancel})
	if _, _, err := h.Compact(gone, ask); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// While the server is asked nobody waits for the lock; messages that are added meanwhile are
// asked for as well, and a conversation that keeps changing is compacted nevertheless.
func TestNobodyWaitsForTheServer(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.say(fieldTalk()...)
	l, n := &lexicon{}, 0
	l.before = func() {
		n++
		h.say(schema.Message{Role: "user", Content: fmt.Sprintf("And meanwhile, number %d: the harvest?", n)})
	}
	done, out, err := meant(t, h.root, l).Compact(t.Context(), engine.Compaction{Strategy: "relevance", Budget: 300, Now: true})
	if err != nil || done.ID == "" || done.TokensAfter > 300 {
		t.Fatalf("%+v, %v", done, err)
	}
	if len(out.Notes) == 0 || !strings.Contains(strings.Join(out.Notes, "\n"), "kept changing") {
		t.Errorf("notes %q", out.Notes)
	}
	if n < 2 || !strings.Contains(h.read(fs.Messages), "And meanwhile, number 1") {
		t.Errorf("asked %d times; the conversation holds\n%s", n, h.read(fs.Messages))
	}
}

// A chunk is found by its meaning, even if it has no word of the query.
func TestRecoverByMeaning(t *testing.T) {
	t.Parallel()
	h := build(t)
	var chunks string
	for i, text := range []string{"The mortar was mixed with lime.", "A pear tree stands there.", "Nobody came on Sunday.", "Prices rose again."} {
		chunks += fmt.Sprintf(`{"chunk_id":"chunk-%d","content":%q}`+"\n", i, text)
	}
	write(t, h.root, ".forgemind/cold-storage/s/compaction-1.jsonl", chunks)
	l := &lexicon{}
	h = meant(t, h.root, l)
	found, _, err := h.Recover(t.Context(), engine.Recovery{Query: "stone", Limit: 5})
	if err != nil || len(found) != 1 || found[0].ChunkID != "chunk-0" || found[0].Score <= 0 || found[0].Score > 1 {
		t.Errorf("%+v, %v", found, err)
	}
	if found, _, err = h.Recover(t.Context(), engine.Recovery{Query: "Sunday", Limit: 5}); err != nil || len(found) != 1 || found[0].ChunkID != "chunk-2" {
		t.Errorf("%+v, %v", found, err)
	}
	if len(l.sent) != 6 {
		t.Errorf("sent %q", l.sent)
	}
	// A secret that was typed is not sent.
	key := "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	if _, _, err := h.Recover(t.Context(), engine.Recovery{Query: "what about " + key, Limit: 5}); err != nil || strings.Contains(strings.Join(l.sent, " "), key) {
		t.Errorf("sent %q, %v", l.sent, err)
	}
}

// A server that has another model under the same name is refused once: what was
// kept of the former one is forgotten.
func TestAnotherModelUnderTheSameName(t *testing.T) {
	t.Parallel()
	l := &lexicon{}
	h := meant(t, build(t).root, l)
	h.say(fieldTalk()...)
	ask := func(about string) []string {
		t.Helper()
		_, out, err := h.Curate(context.Background(), about)
		if err != nil {
			t.Fatal(err)
		}
		return out.Notes
	}
	ask("the harvest")
	l.wider = 1
	told := func(notes []string) bool {
		return slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "dimensions") })
	}
	if notes := ask("the budget"); !told(notes) {
		t.Fatalf("nobody was told: %q", notes)
	}
	if notes := ask("the masonry"); told(notes) {
		t.Errorf("refused again: %q", notes)
	}
}
