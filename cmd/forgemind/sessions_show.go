package main

import (
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// A sessionView is how a session stands, as `sessions show --format json` prints it.
type sessionView struct {
	Version int `json:"version"`
	listedSession
	HotVersion  int                 `json:"hot_version"`
	Tiers       []tier              `json:"tiers"`
	Spare       []spare             `json:"could_go"` // of a hot context that is too large
	Goals       []*goalNode         `json:"goals"`
	Decisions   []timedDecision     `json:"decisions"` // in order of time
	Detected    []detectedDecision  `json:"detected"`  // and not recorded
	Constraints []schema.Constraint `json:"constraints"`
	Actions     []schema.Action     `json:"pending_actions"`
	Questions   []schema.Question   `json:"open_questions"`
	Notes       []schema.Note       `json:"notes"`
	Files       *schema.FileContext `json:"file_context"` // null: none
	Entities    map[string][]string `json:"entities"`
	Summary     string              `json:"summary"` // markdown; "" for none
	Recent      []shownMessage      `json:"recent"`  // the window, in order of time
}

// A timedDecision is a decision of the hot context and how it stands.
type timedDecision struct {
	plainDecision
	SupersededBy string `json:"superseded_by,omitempty"`
}

type plainDecision schema.KeyDecision // without its methods, so that it can be embedded

// A detectedDecision is one that a message states and nobody recorded.
type detectedDecision struct {
	Message   string `json:"message"` // its id
	Timestamp string `json:"timestamp,omitempty"`
	Agent     string `json:"agent,omitempty"`
	session.Detected
}

// A goalNode is a goal with those that are a part of it.
type goalNode struct {
	plainGoal
	Parts []*goalNode `json:"parts,omitempty"`
}

type plainGoal schema.Goal // without its methods, so that it can be embedded

func (p *program) showSession(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	listed, err := theSession(tree, c.Args().First())
	if errors.Is(err, engine.ErrNoSession) {
		return p.showNoSession(c)
	}
	if err != nil {
		return sessionError(err)
	}
	view, faults, err := viewSession(tree, listed)
	if err != nil {
		return err
	}
	for _, fault := range faults {
		p.note("forgemind: warning: %s", inline(fault.Error()))
	}
	if wantsJSON(c) {
		return p.printJSON(view)
	}
	p.printSession(&view)
	return nil
}

// showNoSession is showSession of a tree that has no session yet.
func (p *program) showNoSession(c *cli.Context) error {
	if wantsJSON(c) {
		return p.printJSON(sessionView{Version: 1})
	}
	p.printf("there is no session yet; 'forgemind sessions new' begins one, and so does the first goal, constraint or note\n")
	return nil
}

// theSession is the session of that id. Where it is "" it is the active session, or
// the latest one where none is active; engine.ErrNoSession where there is none.
func theSession(tree *fs.Tree, id string) (session.Listed, error) {
	all, err := session.List(tree)
	if err != nil {
		return session.Listed{}, err
	}
	if id == "" {
		if id, _, err = session.InForce(tree); err != nil {
			return session.Listed{}, err
		}
		if id == "" {
			return session.Listed{}, engine.ErrNoSession
		}
	}
	var known []string
	for _, l := range all {
		if l.SessionID == id {
			return l, nil
		}
		known = append(known, l.SessionID)
	}
	return session.Listed{}, &engine.UnknownSession{ID: id, Known: known}
}

// A fileFault is a file of a session of which not all can be shown.
func fileFault(name string, err error) error { return fmt.Errorf("%s: %w", name, err) }

// viewSession gathers how a session stands. What cannot be read is left out, and
// is among faults.
func viewSession(tree *fs.Tree, l session.Listed) (view sessionView, faults []error, err error) {
	counter, err := tokens.New(tokens.Default)
	if err != nil {
		return view, nil, err
	}
	id := l.SessionID
	view = sessionView{Version: 1, listedSession: listSession(l), Detected: []detectedDecision{}, Recent: []shownMessage{}, Spare: []spare{}}
	read := func(name string) []byte {
		src, err := tree.Read(name)
		if err != nil && !errors.Is(err, iofs.ErrNotExist) {
			faults = append(faults, fileFault(name, err))
		}
		return src
	}
	if l.Err != nil {
		faults = append(faults, fmt.Errorf("the metadata of %s cannot be read: %w", id, l.Err))
	}
	hotText := read(session.HotContext(id))
	hot := schema.HotContext{}
	if h, err := session.ReadHot(hotText); err == nil {
		hot = h.Context()
		view.HotVersion = h.Version()
		if unread := views.FindUnread(tree, session.HotContext(id)); unread != nil {
			faults = append(faults, errors.New(unread.About(session.HotContext(id))))
		}
	} else if hotText != nil {
		faults = append(faults, fileFault(session.HotContext(id), err))
	}
	standing := engine.StandingOf(tree, hot.KeyDecisions...)
	hot.KeyDecisions = standing.AsRecorded(hot.KeyDecisions)
	view.take(hot)
	superseded := supersessions(standing, hot, session.HotContext(id), hotText)
	for i, d := range view.Decisions {
		view.Decisions[i].SupersededBy = superseded[d.ID]
	}
	archiveText := read(session.ArchiveFile(id))
	archived, _ := session.Told(nil, archiveText)
	config := engine.ConfigOf(tree)
	archive := session.Weighed(session.Read(archiveText), config)
	window := session.Weighed(session.Read(read(session.Window(id))), config)
	view.Summary = standing.Mark(strings.ToValidUTF8(string(read(session.SummaryFile(id))), "\ufffd"))
	view.Tiers = tiersOf(hot, superseded, window, archived, view.Summary, counter)
	view.Spare = spareOf(hot, superseded, counter.Count)
	all := slices.Concat(archive, window)
	session.InOrder(all)
	view.Detected = append(view.Detected, detectedIn(session.Standing(all), recordedDecisions(tree, hot))...)
	session.InOrder(window)
	for _, m := range session.Join(window) {
		view.Recent = append(view.Recent, showMessage(m))
	}
	return view, faults, nil
}

// take shows what a hot context holds.
func (v *sessionView) take(hot schema.HotContext) {
	v.Goals = goalTree(hot.ActiveGoals)
	v.Decisions = []timedDecision{}
	for _, d := range hot.KeyDecisions {
		v.Decisions = append(v.Decisions, timedDecision{plainDecision: plainDecision(d)})
	}
	slices.SortStableFunc(v.Decisions, func(a, b timedDecision) int {
		at, _ := schema.ParseTime(a.Timestamp)
		bt, _ := schema.ParseTime(b.Timestamp)
		return at.Compare(bt)
	})
	v.Constraints = append([]schema.Constraint{}, hot.ImportantConstraints...)
	v.Actions = append([]schema.Action{}, hot.PendingActions...)
	v.Questions = append([]schema.Question{}, hot.OpenQuestions...)
	v.Notes = append([]schema.Note{}, hot.Notes...)
	v.Files = hot.CurrentFileContext
	if v.Entities = hot.KeyEntities; v.Entities == nil {
		v.Entities = map[string][]string{}
	}
}

// goalTree puts goals under those that they are a part of, which they name by id
// or text. Circles, and what goes down without end, are opened.
func goalTree(goals []schema.Goal) []*goalNode {
	const deepest = 100
	nodes := make([]*goalNode, len(goals))
	named := map[string]*goalNode{}
	for i, g := range goals {
		nodes[i] = &goalNode{plainGoal: plainGoal(g)}
		for _, name := range []string{g.ID, g.Goal} {
			if name != "" && named[name] == nil {
				named[name] = nodes[i]
			}
		}
	}
	roots := []*goalNode{}
	above := map[*goalNode]*goalNode{}
	for _, n := range nodes {
		parent := named[n.ParentGoalID]
		for up, depth := parent, 0; up != nil; up, depth = above[up], depth+1 {
			if up == n || depth == deepest {
				parent = nil
				break
			}
		}
		if parent == nil {
			roots = append(roots, n)
			continue
		}
		above[n] = parent
		parent.Parts = append(parent.Parts, n)
	}
	return roots
}

// supersessions says which decisions of a hot context are superseded, and by
// which: as the Ledger and the view have it, or only a mark in the view, which is
// called name and stands as src.
func supersessions(standing schema.Standing, hot schema.HotContext, name string, src []byte) map[string]string {
	by := map[string]string{}
	for _, d := range hot.KeyDecisions {
		if other, ok := standing.SupersededBy(d.ID); ok {
			by[d.ID] = other
		}
	}
	raws, _ := views.Decisions(name, src)
	for _, raw := range raws {
		doc, err := jsonedit.Parse(raw)
		if err != nil {
			continue
		}
		id := cmp.Or(member(doc, "id"), member(doc, "decision_id"))
		if other := member(doc, "superseded_by"); id != "" && other != "" && by[id] == "" {
			by[id] = other
		}
	}
	return by
}

// member is a text of an object, "" where it has none of that name.
func member(doc *jsonedit.Doc, name string) string {
	text, _ := doc.Str(max(doc.Member(0, name), 0))
	return text
}

// recordedDecisions holds the decisions that are recorded: their texts in lower case, and their ids.
func recordedDecisions(tree *fs.Tree, hot schema.HotContext) map[string]bool {
	recorded := map[string]bool{}
	all, _ := engine.Decisions(tree)
	for _, d := range all {
		recorded[strings.ToLower(d.Decision)], recorded[d.ID] = true, true
	}
	for _, d := range hot.KeyDecisions {
		recorded[strings.ToLower(d.Decision)] = true
	}
	return recorded
}

// detectedIn are the decisions that messages state and nobody recorded.
func detectedIn(messages []schema.Message, recorded map[string]bool) []detectedDecision {
	var found []detectedDecision
	for _, m := range messages {
		if d, ok := session.DetectedIn(m); ok && !recorded[strings.ToLower(d.Decision)] && !recorded[session.DecisionID(m)] {
			found = append(found, detectedDecision{m.ID, m.Timestamp, m.Agent, d})
		}
	}
	return found
}
