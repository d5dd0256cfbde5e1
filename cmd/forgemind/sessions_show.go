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
	"github.com/forgemind/forgemind/schema"
)

// A sessionView is the JSON output of `sessions show`.
type sessionView struct {
	listedSession
	HotVersion  int                 `json:"hot_version"`
	Tiers       []tier              `json:"tiers"`
	Spare       []spare             `json:"could_go"` // parts of a hot context that is too large
	Goals       []*goalNode         `json:"goals"`
	Decisions   []timedDecision     `json:"decisions"` // sorted by time
	Detected    []detectedDecision  `json:"detected"`  // detected and not recorded
	Constraints []schema.Constraint `json:"constraints"`
	Actions     []schema.Action     `json:"pending_actions"`
	Questions   []schema.Question   `json:"open_questions"`
	Notes       []schema.Note       `json:"notes"`
	Files       *schema.FileContext `json:"file_context"` // null if there are none
	Entities    map[string][]string `json:"entities"`
	Summary     string              `json:"summary"` // markdown; "" for none
	Recent      []shownMessage      `json:"recent"`  // messages of the window, sorted by time
}

// A timedDecision is a decision of the hot context with its status.
type timedDecision struct {
	plainDecision
	SupersededBy string `json:"superseded_by,omitempty"`
}

type plainDecision schema.KeyDecision // without its methods, so that it can be embedded

// A detectedDecision is a decision in a message that nobody recorded.
type detectedDecision struct {
	Message   string `json:"message"` // id of the message
	Timestamp string `json:"timestamp,omitempty"`
	Agent     string `json:"agent,omitempty"`
	session.Detected
}

// A goalNode is a goal with its parts.
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
		return p.printJSON("session_detail", view)
	}
	p.printSession(&view)
	return nil
}

// showNoSession is showSession for a tree without sessions.
func (p *program) showNoSession(c *cli.Context) error {
	if wantsJSON(c) {
		return p.printJSON("session_detail", sessionView{})
	}
	p.printf("no session yet; 'forgemind session new' starts one, and so does the first goal, constraint or note\n")
	return nil
}

// theSession returns the session with an id. For "" it is the active session, or else the latest
// one. The error is engine.ErrNoSession if there is none.
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
	return session.Listed{}, &engine.UnknownSessionError{ID: id, Known: known}
}

// fileFault returns the error for a file of a session that cannot be shown completely.
func fileFault(name string, err error) error { return fmt.Errorf("%s: %w", name, err) }

// viewSession collects the data of a session. What cannot be read is left out and reported in
// faults.
func viewSession(tree *fs.Tree, l session.Listed) (view sessionView, faults []error, err error) {
	counter, err := tokens.New(tokens.Default)
	if err != nil {
		return view, nil, err
	}
	id := l.SessionID
	view = sessionView{listedSession: listSession(l), Detected: []detectedDecision{}, Recent: []shownMessage{}, Spare: []spare{}}
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
		var whole schema.HotContext
		if err := jsonedit.Decode(hotText, &whole); err != nil {
			faults = append(faults, fileFault(session.HotContext(id), err))
		}
	} else if hotText != nil {
		faults = append(faults, fileFault(session.HotContext(id), err))
	}
	view.take(hot)
	standing := engine.StandingOf(tree, hot.KeyDecisions...)
	superseded := supersessions(standing, hot, hotText)
	for i, d := range view.Decisions {
		view.Decisions[i].SupersededBy = superseded[d.ID]
	}
	archiveText := read(session.ArchiveFile(id))
	archived, _ := session.CountMessages(nil, archiveText)
	archive, window := messagesOf(archiveText), messagesOf(read(session.Window(id)))
	view.Summary = standing.Mark(strings.ToValidUTF8(string(read(session.SummaryFile(id))), "\ufffd"))
	view.Tiers = tiersOf(hot, superseded, window, archived, view.Summary, counter)
	view.Spare = spareOf(hot, superseded, counter.Count)
	all := slices.Concat(archive, window)
	session.InOrder(all)
	view.Detected = append(view.Detected, detectedIn(all, recordedTexts(tree, hot))...)
	session.InOrder(window)
	for _, m := range session.Join(window) {
		view.Recent = append(view.Recent, showMessage(m))
	}
	return view, faults, nil
}

// take adds the contents of a hot context.
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

// goalTree arranges goals below the goals of which they are a part, named by id or text. It breaks
// cycles and limits the depth.
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

// supersessions returns which decisions of a hot context are superseded, and by which: from the
// Ledger, from the view, or from a mark in the view.
func supersessions(standing schema.Standing, hot schema.HotContext, src []byte) map[string]string {
	by := map[string]string{}
	for _, d := range hot.KeyDecisions {
		if other, ok := standing.SupersededBy(d.ID); ok {
			by[d.ID] = other
		}
	}
	raws, _ := session.Shown(src)
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

// member returns a string member of an object, or "".
func member(doc *jsonedit.Doc, name string) string {
	text, _ := doc.Str(max(doc.Member(0, name), 0))
	return text
}

// messagesOf returns the messages of a file of a session.
func messagesOf(src []byte) []schema.Message { return session.Messages(session.Read(src)) }

// recordedTexts returns the texts of recorded decisions in lower case.
func recordedTexts(tree *fs.Tree, hot schema.HotContext) map[string]bool {
	recorded := map[string]bool{}
	all, _ := engine.Decisions(tree)
	for _, d := range all {
		recorded[strings.ToLower(d.Decision)] = true
	}
	for _, d := range hot.KeyDecisions {
		recorded[strings.ToLower(d.Decision)] = true
	}
	return recorded
}

// detectedIn returns the decisions in messages that nobody recorded.
func detectedIn(messages []schema.Message, recorded map[string]bool) []detectedDecision {
	var found []detectedDecision
	for _, m := range messages {
		if d, ok := session.DetectedIn(m); ok && !recorded[strings.ToLower(d.Decision)] {
			found = append(found, detectedDecision{m.ID, m.Timestamp, m.Agent, d})
		}
	}
	return found
}
