package query

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
)

// An AssembleQuery is what a context is assembled for.
type AssembleQuery struct {
	Query     string // what is recalled; "" is what the hot context is about
	MaxTokens int
	Counter   string // one of package tokens; "" is the default
}

// Assemble puts together the context of a prompt: of the active session, or where
// there is none of the live conversation. The decisions, goals and constraints in
// force, the open questions and the pending actions of the project are in it,
// wherever they are recorded; of the decisions as many as the budget allows. It
// writes nothing but derived indexes. An *assemble.TooSmall is a budget that the
// hot context does not fit.
func Assemble(tree *fs.Tree, q AssembleQuery) (assemble.Context, error) {
	counter, err := tokens.New(q.Counter)
	if err != nil {
		return assemble.Context{}, err
	}
	ready := make(chan struct{})
	go func() { // loading it takes about as long as searching
		counter.Count("x")
		close(ready)
	}()
	in, gone, err := assembleInput(tree)
	if err != nil {
		return assemble.Context{}, err
	}
	records := make(chan brief.Records, 1)
	go func() { records <- brief.Read(tree) }()
	words := cmp.Or(strings.TrimSpace(q.Query), concern(in.Hot))
	in.Recalled, err = recalled(tree, words, gone)
	rec := <-records
	<-ready
	if err != nil {
		return assemble.Context{}, err
	}
	addInForce(&in, &rec)
	now := rec.Standing
	in.Summary = now.Mark(in.Summary)
	for i := range in.Recalled {
		if in.Recalled[i].Noted {
			in.Recalled[i].Text = now.Mark(in.Recalled[i].Text)
		}
	}
	in.Held = now.Holds
	o := assemble.Options{MaxTokens: q.MaxTokens, Count: counter.Count}
	made, err := assemble.Make(withDecisions(words, in), o)
	var small *assemble.TooSmall
	if errors.As(err, &small) && len(in.Hot.KeyDecisions) > fewest {
		if shorter, err := assemble.Make(withDecisions(words, fewer(in, &rec)), o); err == nil {
			return shorter, nil
		}
	}
	return made, err
}

// fewest is the number of decisions that a hot context shows in any case.
const fewest = 3

// fewer is in with the last decisions of its hot context; the others are among
// those that are shown as far as there is room.
func fewer(in assemble.Input, rec *brief.Records) assemble.Input {
	last := in.Hot.KeyDecisions[len(in.Hot.KeyDecisions)-fewest:]
	in.Hot.KeyDecisions, in.Decided = last, nil
	addInForce(&in, rec)
	return in
}

// addInForce adds what the project has in force and the hot context does not show.
func addInForce(in *assemble.Input, rec *brief.Records) {
	if in.Session == "" {
		in.Hot.ActiveGoals, in.Hot.ImportantConstraints = rec.Hot.ActiveGoals, rec.Hot.ImportantConstraints
	}
	in.Hot.PendingActions, in.Hot.OpenQuestions = rec.Actions(), rec.Questions()
	in.Hot.KeyDecisions = rec.Standing.WithoutProposals(rec.Standing.AsRecorded(in.Hot.KeyDecisions))
	shown := map[string]bool{}
	for _, d := range in.Hot.KeyDecisions {
		shown[d.ID] = true
	}
	for _, d := range rec.Standing.Current() {
		if !shown[d.ID] {
			in.Decided = append(in.Decided, keyDecision(d))
		}
	}
}

// keyDecision is a decision of the Ledger as a hot context shows it.
func keyDecision(d schema.Decision) schema.KeyDecision {
	return schema.KeyDecision{
		ID: d.ID, Decision: d.Decision, Rationale: d.Rationale, Timestamp: d.Timestamp,
		Agent: cmp.Or(d.DecisionMaker, d.RecordedBy), Supersedes: d.Supersedes,
	}
}

// assembleInput reads what the live conversation has, but for what is recalled, and what
// of it was taken back.
func assembleInput(tree *fs.Tree) (in assemble.Input, gone session.IDs, err error) {
	window, err := session.LiveName(tree)
	if err != nil {
		return in, nil, err
	}
	var archive []byte
	in.Files.Recent, in.Files.Decided = path.Base(window), fs.DecisionsDir
	hot := fs.State
	if window != fs.Messages {
		in.Session = path.Base(path.Dir(window))
		hot = session.HotContext(in.Session)
		if in.Summary, in.Files.Summary, err = summaryFor(tree, in.Session); err != nil {
			return in, nil, err
		}
		if archive, err = maybe(tree, session.ArchiveFile(in.Session)); err != nil {
			return in, nil, err
		}
	}
	in.Files.Hot = path.Base(hot)
	src, err := maybe(tree, hot)
	if err != nil {
		return in, nil, err
	}
	if in.Hot, err = hotIn(hot, src); err != nil {
		return in, nil, err
	}
	if src, err = maybe(tree, window); err != nil {
		return in, nil, err
	}
	gone = session.TakenBack(slices.Concat(archive, src))
	in.Recent = newest(src, engine.ConfigOf(tree), gone)
	return in, gone, nil
}

// summaryFor is the summary of a session and the file that it stands in. A session
// that has none yet begins with that of the one it continues.
func summaryFor(r fs.Reader, id string) (text, file string, err error) {
	src, err := maybe(r, session.SummaryFile(id))
	if err != nil || len(src) > 0 {
		return string(src), path.Base(session.SummaryFile(id)), err
	}
	about, err := maybe(r, session.MetadataFile(id))
	var m schema.SessionMetadata
	if err != nil || jsonedit.Decode(about, &m) != nil || !schema.ValidID(m.Continues) {
		return "", path.Base(session.SummaryFile(id)), err
	}
	src, err = maybe(r, session.SummaryFile(m.Continues))
	return string(src), m.Continues + "/" + path.Base(session.SummaryFile(id)), err
}

// hotIn is the hot context that src holds; of a State what it has of one.
func hotIn(name string, src []byte) (hot schema.HotContext, err error) {
	switch {
	case len(src) == 0:
	case name != fs.State:
		err = jsonedit.Decode(src, &hot)
	default:
		var s schema.State
		if err = jsonedit.Decode(src, &s); err != nil {
			break
		}
		for _, d := range s.RecentDecisions {
			hot.KeyDecisions = append(hot.KeyDecisions, keyDecision(d))
		}
		hot.PendingActions, hot.OpenQuestions = s.PendingActions, s.OpenQuestions
	}
	if err != nil {
		return hot, fmt.Errorf("%s: %w", name, err)
	}
	return hot, nil
}

// newest are the last messages of a conversation that were not taken back, in order.
func newest(src []byte, config schema.Config, gone session.IDs) []schema.Message {
	// Of a long conversation the end is enough, and of its lines some are blank,
	// or parts of a message.
	const most = 5 * session.WindowMessages
	from := len(src)
	for range most {
		if from = bytes.LastIndexByte(src[:max(0, from-1)], '\n') + 1; from == 0 {
			break
		}
	}
	all := session.Messages(session.Read(src[from:]))
	session.InOrder(all)
	all = slices.DeleteFunc(session.Join(all), gone.Has)
	all = all[max(0, len(all)-session.WindowMessages):]
	for i, m := range all {
		all[i] = session.AsSeen(m, config)
	}
	return all
}

// maybe is what stands at name, nothing where there is no such file.
func maybe(r fs.Reader, name string) ([]byte, error) {
	src, err := r.Read(name)
	if errors.Is(err, iofs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return src, nil
}
