package main

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/query"
	past "github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// A source returns the candidates of one kind in a tree, likely ones first. It ignores what cannot
// be read.
type source func(p *program, c *cli.Context, tree *fs.Tree) []candidate

// newestFirst returns the candidates for items that are sorted by time.
func newestFirst[T any](items []T, of func(T) candidate) []candidate {
	found := make([]candidate, 0, len(items))
	for _, item := range slices.Backward(items) {
		found = append(found, of(item))
	}
	return found
}

func (p *program) knownDecisions(_ *cli.Context, tree *fs.Tree) []candidate {
	all, _ := engine.Decisions(tree)
	standing := schema.Current(all)
	return newestFirst(standing.All(), func(d schema.Decision) candidate {
		text := d.Decision
		if by, superseded := standing.SupersededBy(d.ID); superseded {
			text = "(superseded by " + by + ") " + text
		}
		return candidate{d.ID, text}
	})
}

func (p *program) currentDecisions(_ *cli.Context, tree *fs.Tree) []candidate {
	all, _ := engine.Decisions(tree)
	return newestFirst(schema.Current(all).Current(), func(d schema.Decision) candidate { return candidate{d.ID, d.Decision} })
}

func (p *program) openGoals(_ *cli.Context, tree *fs.Tree) []candidate {
	hot, _ := p.hotOf(tree)
	return newestFirst(hot.ActiveGoals, func(g schema.Goal) candidate { return candidate{cmp.Or(g.ID, g.Goal), g.Goal} })
}

func (p *program) knownConstraints(_ *cli.Context, tree *fs.Tree) []candidate {
	hot, _ := p.hotOf(tree)
	return newestFirst(hot.ImportantConstraints, func(c schema.Constraint) candidate {
		return candidate{cmp.Or(c.ID, c.Constraint), c.Constraint}
	})
}

func (p *program) knownQuestions(c *cli.Context, _ *fs.Tree) []candidate {
	all, _ := p.openQuestions(c)
	return newestFirst(all, func(q schema.Question) candidate { return candidate{q.ID, q.Question} })
}

func (p *program) knownActions(c *cli.Context, _ *fs.Tree) []candidate {
	all, _ := p.pendingActions(c)
	return newestFirst(all, func(a schema.Action) candidate { return candidate{cmp.Or(a.ID, a.Action), a.Action} })
}

func (p *program) blockers(c *cli.Context, tree *fs.Tree) []candidate {
	return append(p.knownQuestions(c, tree), p.knownActions(c, tree)...)
}

func (p *program) knownNotes(_ *cli.Context, tree *fs.Tree) []candidate {
	all, _ := query.Notes(tree)
	standing := engine.StandingOf(tree)
	return newestFirst(all, func(n schema.NoteRecord) candidate { return candidate{n.ID, standing.Mark(n.Note)} })
}

func (p *program) memoryEntries(_ *cli.Context, tree *fs.Tree) []candidate {
	all, _ := query.Notes(tree)
	standing := engine.StandingOf(tree)
	entries := slices.DeleteFunc(all, func(n schema.NoteRecord) bool { return n.Section == "" })
	return newestFirst(entries, func(n schema.NoteRecord) candidate { return candidate{n.ID, standing.Mark(n.Note)} })
}

func (p *program) noteFiles(_ *cli.Context, tree *fs.Tree) (found []candidate) {
	names, _, _ := engine.Notes(tree)
	for _, name := range names {
		found = append(found, candidate{noteID(name), name})
	}
	return found
}

// threadsIn returns the source of the threads with one of the states, or of all threads.
func threadsIn(states ...string) source {
	return func(_ *program, _ *cli.Context, tree *fs.Tree) []candidate {
		all, _, _ := condense.Threads(tree)
		all = slices.DeleteFunc(all, func(t condense.Thread) bool { return len(states) > 0 && !slices.Contains(states, t.Status) })
		return newestFirst(all, func(t condense.Thread) candidate { return candidate{t.ID, t.Title + " (#" + t.Channel + ")"} })
	}
}

func (p *program) openHandoffs(_ *cli.Context, tree *fs.Tree) []candidate {
	all, _ := condense.Handoffs(tree)
	all = slices.DeleteFunc(all, func(h condense.Handoff) bool { return h.Status == condense.Archived })
	return newestFirst(all, func(h condense.Handoff) candidate { return candidate{h.ID, h.Task} })
}

func (p *program) knownCondensations(_ *cli.Context, tree *fs.Tree) []candidate {
	all, _, _ := condense.Condensations(tree)
	return newestFirst(all, func(f condense.CondensationFile) candidate { return candidate{f.Name, f.Topic} })
}

func (p *program) knownSessions(_ *cli.Context, tree *fs.Tree) (found []candidate) {
	all, _ := session.List(tree)
	for _, l := range all {
		text := cmp.Or(l.Title, untitled)
		if l.Live {
			text += " (active)"
		}
		found = append(found, candidate{l.SessionID, text})
	}
	return found
}

func (p *program) knownSnapshots(_ *cli.Context, tree *fs.Tree) []candidate {
	all, _ := state.History(tree)
	return newestFirst(all, func(s state.SnapshotFile) candidate {
		text := s.Reason
		if name, ok := schema.LayerName(s.Layer); ok {
			text += " in layer " + name
		}
		if !s.Time.IsZero() {
			text += " at " + s.Time.UTC().Format(time.DateTime)
		}
		return candidate{s.ID, text}
	})
}

func (p *program) knownProjects(_ *cli.Context, tree *fs.Tree) (found []candidate) {
	all, _, _ := condense.Projects(tree)
	for _, project := range all {
		found = append(found, candidate{project.Slug(), project.Name})
	}
	return found
}

func (p *program) knownFragments(_ *cli.Context, tree *fs.Tree) []candidate {
	all, _, _ := past.Fragments(tree)
	return newestFirst(all, func(f past.Fragment) candidate { return candidate{f.ID, f.Title} })
}

func (p *program) knownChunks(_ *cli.Context, tree *fs.Tree) []candidate {
	all, _, _ := cold.List(tree)
	return newestFirst(all, func(c schema.Chunk) candidate { return candidate{c.ChunkID, c.Content} })
}

func (p *program) knownArtifacts(_ *cli.Context, tree *fs.Tree) (found []candidate) {
	all, _ := artifact.List(tree)
	for _, a := range all {
		found = append(found, candidate{a.ID, strings.TrimSpace(a.Type + " " + a.Path)})
	}
	return found
}

func (p *program) loadedArtifacts(_ *cli.Context, tree *fs.Tree) (found []candidate) {
	all, _ := artifact.List(tree)
	for _, a := range all {
		if a.Loaded {
			found = append(found, candidate{a.ID, strings.TrimSpace(a.Type + " " + a.Path)})
		}
	}
	return found
}

func (p *program) knownTriggers(_ *cli.Context, tree *fs.Tree) (found []candidate) {
	all, _ := engine.Triggers(tree)
	for _, t := range all {
		found = append(found, candidate{t.Name, "when " + t.Condition})
	}
	return found
}

// knownChannels returns the channels of threads, projects and pins, sorted by name.
func (p *program) knownChannels(_ *cli.Context, tree *fs.Tree) (found []candidate) {
	projects, _, _ := condense.Projects(tree)
	for _, project := range projects {
		for _, channel := range project.Channels {
			found = append(found, candidate{channel, "project " + project.Name})
		}
	}
	threads, _, _ := condense.Threads(tree)
	for _, t := range threads {
		found = append(found, candidate{t.Channel, ""})
	}
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		pinned, _ := condense.PinnedChannels(tree, home)
		for _, channel := range pinned {
			found = append(found, candidate{channel, ""})
		}
	}
	slices.SortStableFunc(found, byWord)
	return found
}

// knownAgents returns the people and agents in decisions, goals, sessions and threads, sorted by
// name.
func (p *program) knownAgents(_ *cli.Context, tree *fs.Tree) (found []candidate) {
	var names []string
	decisions, _ := engine.Decisions(tree)
	for _, d := range decisions {
		names = append(names, d.DecisionMaker, d.RecordedBy)
	}
	hot, _ := p.hotOf(tree)
	for _, g := range hot.ActiveGoals {
		names = append(names, g.Agent)
	}
	sessions, _ := session.List(tree)
	for _, l := range sessions {
		names = append(names, l.Agents...)
	}
	threads, _, _ := condense.Threads(tree)
	for _, t := range threads {
		names = append(names, t.Participants...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		found = append(found, candidate{name, ""})
	}
	return found
}

// knownNames returns who did, recorded or sent something, sorted by name.
func (p *program) knownNames(c *cli.Context, tree *fs.Tree) (found []candidate) {
	for _, e := range query.Log(tree, query.LogQuery{Senders: p.senders(c, tree)}) {
		for _, name := range []string{e.By, e.RecordedBy, e.SentBy} {
			found = append(found, candidate{name, ""})
		}
	}
	slices.SortFunc(found, byWord)
	return slices.Compact(found)
}

func byWord(a, b candidate) int { return cmp.Compare(a.word, b.word) }
