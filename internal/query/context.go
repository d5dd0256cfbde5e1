package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
)

// A ContextQuery selects the subject and the size of a context.
type ContextQuery struct {
	Prompt    string // "" stands for the subject of the goals
	MaxTokens int
	Counter   string // one of package tokens; "" is the default
}

// Context assembles the context of a prompt: a Selection within a budget. Records in force
// are never cut, except decisions that the session does not show: the newest of these have
// room. It writes nothing but derived indexes. The error is an *assemble.TooSmallError if the
// records in force exceed the budget.
func Context(ctx context.Context, tree *fs.Tree, q ContextQuery) (assemble.Context, error) {
	counter, err := tokens.New(q.Counter)
	if err != nil {
		return assemble.Context{}, err
	}
	ready := make(chan struct{})
	go func() { // loading it takes about as long as searching
		counter.Count("x")
		close(ready)
	}()
	s, err := Select(ctx, tree, Need{Prompt: q.Prompt, Recall: true})
	if err = cmp.Or(err, unreadOf(s)); err != nil {
		return assemble.Context{}, err
	}
	<-ready
	o := assemble.Options{MaxTokens: q.MaxTokens, Count: counter.Count}
	made, err := assemble.Make(s.input(q.MaxTokens, s.keyDecisions()), o)
	var small *assemble.TooSmallError
	if key := s.keyDecisions(); errors.As(err, &small) && len(key) > fewest {
		if shorter, err := assemble.Make(s.input(q.MaxTokens, key[len(key)-fewest:]), o); err == nil {
			return shorter, nil
		}
	}
	return made, err
}

// unreadOf returns why records in force are missing in a selection; nil if none are.
func unreadOf(s *Selection) error {
	if s == nil {
		return nil
	}
	return s.Unread
}

// fewest is the number of decisions that a context shows in any case.
const fewest = 3

// keyDecisions returns the decisions that a context shows first: those of the session, or
// without a session those of the State.
func (s *Selection) keyDecisions() (all []schema.KeyDecision) {
	if s.Told() != "" {
		return s.Hot.KeyDecisions
	}
	for _, d := range s.State.RecentDecisions {
		all = append(all, keyDecision(d))
	}
	return all
}

// input returns a selection as the input of a context; key are the decisions that it always
// shows.
func (s *Selection) input(most int, key []schema.KeyDecision) assemble.Input {
	t := &s.Talk
	in := assemble.Input{
		Session: s.live, Hot: s.Hot, Summary: s.Standing.Mark(t.Summary), Recent: t.Recent, RecentOf: t.Session, Loaded: s.Artifacts(),
		Held: s.holds, Rejected: rejectedBy(s.Standing),
		Files: assemble.Files{Hot: path.Base(fs.State), Decided: fs.DecisionsDir, Summary: t.SummaryFile, Recent: t.RecentFile},
	}
	if told := s.Told(); told != "" {
		in.Files.Hot = path.Base(session.HotContext(told))
	}
	in.Hot.KeyDecisions, in.Hot.ActiveGoals, in.Hot.ImportantConstraints = key, s.Goals(), s.Constraints()
	in.Hot.PendingActions, in.Hot.OpenQuestions = append(s.HandedOver(), s.Actions()...), s.Questions()
	shown := map[string]bool{}
	for _, d := range key {
		shown[d.ID] = true
	}
	for _, d := range s.Standing.Current() {
		if !shown[d.ID] {
			in.Decided = append(in.Decided, keyDecision(d))
		}
	}
	for _, r := range s.Recalled {
		if r.Noted {
			r.Text = s.Standing.Mark(r.Text)
		}
		in.Recalled = append(in.Recalled, r)
	}
	s.addLists(&in, most, shown)
	return withDecisions(s.words, in)
}

// addLists adds the lists that accompany the records in force. shown has the decisions that
// the context always shows.
func (s *Selection) addLists(in *assemble.Input, most int, shown map[string]bool) {
	ends, total := s.GivenUp(most/16 + 1)
	in.DeadEnds = assemble.List{Title: "Dead ends", Total: total}
	for _, i := range ends {
		if shown[i.ID] {
			in.DeadEnds.Total--
			continue
		}
		in.DeadEnds.Lines = append(in.DeadEnds.Lines, i.Line())
	}
	in.Governs.Title = "What governs the files of the prompt"
	for _, g := range s.Governs {
		in.Governs.Lines = append(in.Governs.Lines, g.line())
	}
	in.Stale.Title = "Stale or wrong"
	for _, i := range s.StaleItems() {
		in.Stale.Lines = append(in.Stale.Lines, i.Line())
	}
	in.NotInGit.Title = "Not in git yet"
	if s.NotInGit != "" {
		in.NotInGit.Lines = []string{brief.Item{ID: "git", Text: s.NotInGit}.Line()}
	}
}

// holds reports whether a decision is not superseded.
func (s *Selection) holds(id string) bool {
	_, superseded := s.Standing.SupersededBy(id)
	return !superseded
}

// line returns a rule as a line of a context.
func (r Ruled) line() string {
	return fmt.Sprintf("- %s (%s): %s [%s]\n", r.ID, r.Date, r.Text, r.Path)
}

// rejectedBy returns a function that returns the alternatives that a decision rejected.
func rejectedBy(standing schema.Standing) func(id string) []string {
	rejected := map[string][]string{}
	for _, d := range standing.All() {
		if len(d.AlternativesRejected) > 0 {
			rejected[d.ID] = d.AlternativesRejected
		}
	}
	return func(id string) []string { return rejected[id] }
}

// keyDecision returns a decision of the Ledger in the form of a hot context.
func keyDecision(d schema.Decision) schema.KeyDecision {
	return schema.KeyDecision{
		ID: d.ID, Decision: d.Decision, Rationale: d.Rationale, Timestamp: d.Timestamp,
		Agent: cmp.Or(d.DecisionMaker, d.RecordedBy), Supersedes: d.Supersedes,
	}
}
