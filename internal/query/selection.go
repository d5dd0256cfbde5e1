package query

import (
	"context"
	"errors"
	iofs "io/fs"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// A Selection holds the facts of a tree that an agent or a person should know. A brief, the
// context of a prompt and the load layers are renderings of it; they differ in budget and
// prompt alone.
type Selection struct {
	brief.Records
	Recalled []assemble.Recalled // messages and notes that answer the prompt, the best first
	Governs  []Ruled             // rules for the files that the prompt names

	words string // the words of the search
	live  string // the session of the live conversation; "" for none
}

// A Need describes the purpose of a Selection.
type Need struct {
	Project string // only its decisions and constraints: a folder, an id, a name or unique text of it; "" is all
	Prompt  string // "" is none
	Recall  bool   // recall texts that answer the prompt or, without one, the goals
}

// Select reads the records in force of a tree, and what the need requires, in one pass. It
// writes nothing but derived indexes. Errors in the tree's documents are faults of the
// Selection. Errors of Select are those of ctx, of recalling, and the *session.UnknownError
// or *session.AmbiguousError of a project.
func Select(ctx context.Context, tree *fs.Tree, n Need) (*Selection, error) {
	untracked := make(chan int, 1)
	go func() { untracked <- Untracked(ctx, tree) }()
	s := &Selection{words: strings.TrimSpace(n.Prompt)}
	past := make(chan answer, 1)
	if n.Recall && s.words != "" {
		go recallAll(tree, s.words, past)
	}
	s.Records = brief.Read(tree)
	if n.Recall && s.words == "" {
		s.words = concern(s.Hot)
		go recallAll(tree, s.words, past)
	}
	s.readTalk(tree)
	projects, err := s.readProjects(tree, n.Project)
	if err != nil {
		return nil, err
	}
	s.readHandoffs(tree)
	s.readClaims(tree, tree.Now())
	s.Stale = append(staleIn(ctx, tree, &s.Records, projects), wrongIn(tree, &s.Records)...)
	if files := FilesNamed(n.Prompt, inTree(tree)); n.Recall && len(files) > 0 {
		if s.Governs, err = ruling(ctx, tree, &s.Records, files); err != nil {
			return nil, err
		}
	}
	if n.Recall {
		found := <-past
		if s.Recalled = found.all; found.err != nil {
			return nil, found.err
		}
	}
	if n := <-untracked; n > 0 {
		s.NotInGit = NotInGit(n)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return s, nil
}

// readProjects reads the projects, or only the given one, and then keeps only its decisions.
func (s *Selection) readProjects(r fs.Reader, which string) ([]condense.Project, error) {
	projects, err := briefProjects(r, &s.Records, which)
	for _, p := range projects {
		at := p.Context
		if _, err := r.Read(at); errors.Is(err, iofs.ErrNotExist) {
			at = ""
		}
		s.Projects = append(s.Projects, brief.Project{
			Name: p.Name, Context: at, Phase: p.Phase, Active: p.Active, Blocked: p.Blocked, Constraints: p.Constraints,
		})
	}
	return projects, err
}

// readClaims reads the threads that are claimed at now, and removes expired claims of actions.
func (s *Selection) readClaims(r fs.Reader, now time.Time) {
	for _, t := range condense.ClaimedThreads(r) {
		if t.Claim.HeldAt(now) {
			s.Claimed = append(s.Claimed, t.Thread)
		}
	}
	for _, actions := range [][]schema.Action{s.Hot.PendingActions, s.State.PendingActions} {
		for i := range actions {
			if !actions[i].Claim.HeldAt(now) {
				actions[i].Claim = nil
			}
		}
	}
}

// readHandoffs reads the handoffs that nobody took over.
func (s *Selection) readHandoffs(r fs.Reader) {
	handoffs, faults := condense.Handoffs(r)
	for _, f := range faults {
		s.Faults = append(s.Faults, f.Name+" cannot be read as a handoff")
	}
	for _, h := range handoffs {
		if h.Status == condense.Open {
			s.Handoffs = append(s.Handoffs, h.Handoff)
		}
	}
}
