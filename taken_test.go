package forgemind_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/forgemind/forgemind"
)

// plain strips a message of all but what a model's API takes.
func plain(messages []forgemind.Message) []forgemind.Message {
	var all []forgemind.Message
	for _, m := range messages {
		all = append(all, forgemind.Message{Role: m.Role, Content: m.Content})
	}
	return all
}

// Whatever messages have to be known by, and whatever the program makes of what it
// is handed: each message is taken in once.
func TestEachMessageIsTakenOnce(t *testing.T) {
	t.Parallel() // it takes long
	ways := map[string]func(*agent, forgemind.Context){
		"keeps its own":         nil,
		"takes the messages":    func(a *agent, c forgemind.Context) { a.messages = c.Messages },
		"takes them without id": func(a *agent, c forgemind.Context) { a.messages = plain(c.Messages) },
		"takes the text": func(a *agent, c forgemind.Context) {
			a.messages = []forgemind.Message{{Role: "system", Content: c.Text}}
		},
	}
	names := map[string]func(*forgemind.Message, int){
		"ids": numbered, "times": timed, "neither": nil,
		"some ids": func(m *forgemind.Message, i int) {
			if i%3 == 0 {
				numbered(m, i)
			}
		},
	}
	for known, name := range names {
		for way, replaces := range ways {
			t.Run(known+", "+way, func(t *testing.T) {
				root := newProject(t)
				a := &agent{tokens: 10, replaces: replaces}
				w := open(t, root).Attach(a.callbacks())
				said, added := 0, 0
				before := func() {
					s, err := w.BeforeResponse(t.Context(), 1000)
					if err != nil {
						t.Fatal(err)
					}
					added += s.Added
				}
				for turn := range 6 {
					n := []int{3, 70, 1, 2, 40, 5}[turn]
					a.say(n, fmt.Sprintf("turn %d, and yes", turn), name)
					said += n
					before()
					before()
					a.say(1, "yes", name) // which is said again and again
					said++
					before()
					if turn%2 == 1 {
						if _, err := w.Compact(t.Context(), forgemind.CompactOptions{Strategy: "psd", Budget: 700}); err != nil {
							t.Fatal(err)
						}
						before()
					}
				}
				if added != said {
					t.Errorf("%d messages were said, %d taken in", said, added)
				}
			})
		}
	}
}

// A program that begins anew knows nothing of what it gave before.
func TestAProgramThatBeginsAnew(t *testing.T) {
	for known, name := range map[string]func(*forgemind.Message, int){"ids": numbered, "times": timed, "neither": nil} {
		root := newProject(t)
		a := &agent{}
		said, added := 0, 0
		for range 4 {
			a.say(30, "yes", name)
			said += 30
			s, err := open(t, root).Attach(a.callbacks()).BeforeResponse(t.Context(), 1000)
			if err != nil {
				t.Fatal(err)
			}
			added += s.Added
		}
		if added != said || len(stored(t, root)) != said {
			t.Errorf("%s: %d said, %d taken in, %d stored", known, said, added, len(stored(t, root)))
		}
		// Another conversation may begin with the same words.
		s, err := open(t, root).Attach(forgemind.Callbacks{Messages: func(context.Context, int) ([]forgemind.Message, error) {
			return []forgemind.Message{{Role: "user", Content: "message 0 of 30, which is about"}, {Role: "assistant", Content: "yes"}}, nil
		}}).BeforeResponse(t.Context(), 1000)
		if err != nil || s.Added != 2 {
			t.Errorf("%s: of another conversation %d, %v", known, s.Added, err)
		}
	}
}

// What a compaction left of the conversation is enough to know the rest by.
func TestAProgramThatBeginsAnewAfterACompaction(t *testing.T) {
	for known, name := range map[string]func(*forgemind.Message, int){"ids": numbered, "times": timed, "neither": nil} {
		root := newProject(t)
		a := &agent{}
		a.say(60, "Which pears?", name)
		w := open(t, root).Attach(a.callbacks())
		if done, err := w.Compact(t.Context(), forgemind.CompactOptions{Strategy: "psd"}); err != nil || done.ID == "" {
			t.Fatal(done, err)
		}
		a.say(2, "And which apples?", name)
		s, err := open(t, root).Attach(a.callbacks()).BeforeResponse(t.Context(), 1000)
		if err != nil || s.Added != 2 {
			t.Errorf("%s: %+v, %v", known, s, err)
		}
	}
}

// A session that has become long is archived by itself; what the program still has
// of it is not taken for new.
func TestWhatASessionWasArchivedWith(t *testing.T) {
	for known, name := range map[string]func(*forgemind.Message, int){"ids": numbered, "times": timed, "neither": nil} {
		a := &agent{}
		w := open(t, newTree(t)).Attach(a.callbacks())
		added := 0
		for range 13 {
			a.say(10, "yes", name)
			s, err := w.BeforeResponse(t.Context(), 1000)
			if err != nil {
				t.Fatal(err)
			}
			added += s.Added
		}
		if added != 130 {
			t.Errorf("%s: 130 said, %d taken in", known, added)
		}
	}
}

// Only what may be new is asked for, however long the conversation is.
func TestLongConversationsAreNotReadAgain(t *testing.T) {
	a := &agent{tokens: 10}
	a.say(1000, "Which pears?", numbered)
	var asked []int
	with := a.callbacks()
	messages := with.Messages
	with.Messages = func(ctx context.Context, n int) ([]forgemind.Message, error) {
		asked = append(asked, n)
		return messages(ctx, n)
	}
	w := open(t, newProject(t)).Attach(with)
	for range 3 {
		if _, err := w.BeforeResponse(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
		a.say(2, "And which apples?", numbered)
	}
	if !slices.Equal(asked, []int{64, 256, 1024, 64, 64}) {
		t.Errorf("asked for %v", asked)
	}
}
