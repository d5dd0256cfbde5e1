package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// A BriefQuery is what a brief is asked for.
type BriefQuery struct {
	MaxTokens int    // below 1 it is brief.DefaultTokens
	Counter   string // one of package tokens; "" is the default
	Project   string // only its decisions and constraints: a folder, an id, a name or unique text of it; "" is all
	// Count takes the place of Counter, for limits that are no tokens.
	Count func(text string) int
	Ways  brief.Ways // to what there is no room for; brief.Commands by default
	// Records are those of the tree where they were read already; nil reads them.
	Records *brief.Records
	// FilesApart is that of brief.Options.
	FilesApart bool
	// GitWait is the time that git has to say what it does not track; 0 is 1.5 s.
	GitWait time.Duration
}

// Brief says what an agent must know at its start. It writes nothing but derived
// indexes. What is wrong in the tree's documents is told in the brief; errors are
// those of ctx, of an unknown counter, and the *session.Unknown or
// *session.Ambiguous of a project.
func Brief(ctx context.Context, tree *fs.Tree, q BriefQuery) (brief.Brief, error) {
	o := brief.Options{MaxTokens: q.MaxTokens, Count: q.Count, Ways: q.Ways, FilesApart: q.FilesApart}
	if o.Count == nil {
		counter, err := tokens.New(q.Counter)
		if err != nil {
			return brief.Brief{}, err
		}
		o.Count = counter.Count
		if counter.Name() == tokens.Default { // the others load nothing
			lines := newLineCounter(tree, counter)
			o.Count = lines.Count
			defer lines.keep()
		}
	}
	untracked := make(chan UntrackedCount, 1)
	go func() {
		within, cancel := git.Within(ctx, cmp.Or(q.GitWait, 1500*time.Millisecond))
		defer cancel()
		untracked <- Untracked(within, tree)
	}()
	var records brief.Records
	if q.Records != nil {
		records = *q.Records
		records.Faults = slices.Clone(records.Faults)
	} else {
		records = brief.Read(tree)
	}
	projects, err := briefProjects(tree, &records, q.Project)
	if err != nil {
		return brief.Brief{}, err
	}
	for _, p := range projects {
		at := p.Context
		if _, err := tree.Read(at); errors.Is(err, iofs.ErrNotExist) {
			at = ""
		}
		o.Projects = append(o.Projects, brief.Project{
			Name: p.Name, Context: at, Phase: p.Phase, Active: p.Active, Blocked: p.Blocked, Constraints: p.Constraints,
		})
	}
	handoffs, faults := condense.Handoffs(tree)
	for _, f := range faults {
		records.Faults = append(records.Faults, f.Name+" is no handoff that can be read")
	}
	for _, h := range handoffs {
		if h.Status == condense.Open {
			o.Handoffs = append(o.Handoffs, h.Handoff)
		}
	}
	o.Stale = append(briefStale(ctx, tree, &records, projects), briefWrong(tree, &records)...)
	if said := (<-untracked).String(); said != "" {
		o.Stale = append(o.Stale, "git: "+said)
	}
	if ctx.Err() != nil {
		return brief.Brief{}, context.Cause(ctx)
	}
	return brief.Make(records, o), nil
}

// briefProjects are the projects that a brief points at: all, or the one that is
// asked for, to which the decisions are then narrowed.
func briefProjects(r fs.Reader, rec *brief.Records, which string) ([]condense.Project, error) {
	all, faults, err := condense.Projects(r)
	if err != nil {
		rec.Faults = append(rec.Faults, err.Error())
	}
	for _, f := range faults {
		rec.Faults = append(rec.Faults, f.Name+" is no project that can be read")
	}
	if which == "" {
		return all, nil
	}
	p, err := condense.FindProject(all, which)
	if err != nil {
		return nil, cmp.Or(condense.Unread(faults), err)
	}
	ours := ofProject(p, rec.Standing.All())
	rec.Mine = func(d *schema.Decision) bool { return ours[d.ID] }
	return []condense.Project{p}, nil
}

// ofProject are the ids of the decisions that are a project's, of all in order of
// time: those that name the project, or one of its channels and no project, or
// that supersede one of its decisions and name neither.
func ofProject(p condense.Project, all []schema.Decision) map[string]bool {
	channels := map[string]bool{}
	for _, c := range p.Channels {
		channels[condense.ChannelID(c)] = true
	}
	ours := map[string]bool{}
	for i := range all {
		d := &all[i]
		mine := false
		switch {
		case d.Project != "":
			mine = strings.EqualFold(d.Project, p.Name) || strings.EqualFold(d.Project, p.ID) || strings.EqualFold(d.Project, p.Slug())
		case d.Channel != "":
			mine = channels[condense.ChannelID(d.Channel)]
		default:
			mine = slices.ContainsFunc(d.Supersedes, func(id string) bool { return ours[id] })
		}
		if mine {
			ours[d.ID] = true
		}
	}
	return ours
}

// briefKinds are the kinds of an audit that concern what a brief shows, and do
// not change as time goes by.
var briefKinds = []string{"superseded-reference", "context-behind", "answered-question", "unblocked-action"}

// briefStale says what is stale in the documents that a brief is made of. Only
// they are looked at, with the decisions that they name: an audit of everything
// takes longer than an agent waits.
func briefStale(ctx context.Context, tree *fs.Tree, rec *brief.Records, projects []condense.Project) (stale []string) {
	glimpse := glimpseOf(tree, rec, projects)
	report, err := audit.Audit(ctx, glimpse, audit.Options{
		Now: time.Time{}, // nothing is late by it
		Contexts: func(fs.Reader, []schema.Decision) ([]audit.Lag, error) {
			return lagsOf(tree, projects, rec.Standing), nil
		},
	})
	if err != nil {
		return nil // a brief does without
	}
	for _, f := range report.Findings {
		if slices.Contains(briefKinds, f.Kind) {
			stale = append(stale, fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message))
		}
	}
	return stale
}

// A glimpse is a tree of which only a few documents are shown.
type glimpse struct {
	fs.Reader
	told  string              // the session that passes for the active one
	names map[string][]string // by folder
}

// Read implements fs.Reader.
func (g glimpse) Read(name string) ([]byte, error) {
	if name == fs.ActiveSession && g.told != "" {
		return []byte(g.told), nil
	}
	return g.Reader.Read(name)
}

// Names implements fs.Reader.
func (g glimpse) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range g.names[dir] {
			if !yield(name, nil) {
				return
			}
		}
	}
}

func glimpseOf(tree *fs.Tree, rec *brief.Records, projects []condense.Project) glimpse {
	told := rec.Told()
	g := glimpse{tree, told, map[string][]string{}}
	var texts []string
	for _, p := range projects {
		dir := path.Dir(path.Dir(p.File))
		g.names[dir] = append(g.names[dir], p.Context, p.File)
		if src, err := tree.Read(p.Context); err == nil {
			texts = append(texts, string(src))
		}
	}
	if told != "" {
		g.names[fs.Sessions] = []string{session.MetadataFile(told)}
	}
	for _, name := range []string{fs.State, session.HotContext(told)} {
		if src, err := tree.Read(name); err == nil {
			texts = append(texts, string(src))
		}
	}
	for _, id := range named(rec, texts) {
		for _, home := range []string{fs.Forgemind, fs.Quaid} {
			dir := home + "/" + fs.DecisionsDir
			g.names[dir] = append(g.names[dir], dir+"/"+id+".json")
		}
	}
	return g
}

// mostNamed bounds how many decisions a glimpse shows.
const mostNamed = 100

// named are the ids of the decisions that texts name, of those that superseded
// them, and of those that name an open question.
func named(rec *brief.Records, texts []string) (ids []string) {
	words := map[string]bool{}
	for _, text := range texts {
		for word := range strings.FieldsFuncSeq(text, outsideID) {
			if word = strings.TrimRight(word, "."); !words[word] {
				words[word] = true
			}
		}
	}
	var open []string
	for _, q := range rec.Questions() {
		if strings.HasPrefix(q.ID, question) {
			open = append(open, q.ID)
		}
	}
	asked := func(text string) bool {
		return strings.Contains(text, question) && slices.ContainsFunc(open, func(id string) bool { return strings.Contains(text, id) })
	}
	taken := map[string]bool{}
	for i := range rec.Decisions {
		d := &rec.Decisions[i]
		if !words[d.ID] && (len(open) == 0 || !asked(d.Decision) && !asked(d.Rationale)) {
			continue
		}
		for id, more := d.ID, true; more && !taken[id] && len(ids) < mostNamed; id, more = rec.Standing.SupersededBy(id) {
			taken[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// outsideID says whether r is no part of an id.
func outsideID(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
}

// question begins the id of one.
const question = "Q-"

// mostProjects bounds of how many projects the CONTEXT.md is compared.
const mostProjects = 20

// lagsOf says in what the CONTEXT.md of projects are behind. Each is compared with
// the decisions of its project and with what superseded those: to look at all of
// them once for each project would take too long.
func lagsOf(r fs.Reader, projects []condense.Project, standing schema.Standing) (lags []audit.Lag) {
	all := standing.All()
	for _, p := range projects[:min(len(projects), mostProjects)] {
		concerned := ofProject(p, all)
		for id := range concerned {
			for by, more := standing.SupersededBy(id); more && !concerned[by]; by, more = standing.SupersededBy(by) {
				concerned[by] = true
			}
		}
		var decisions []schema.Decision
		for i := range all {
			if concerned[all[i].ID] {
				decisions = append(decisions, all[i])
			}
		}
		behind, err := condense.Stale(r, p, decisions)
		if err != nil {
			lags = append(lags, audit.Lag{Name: p.Context, Text: "it cannot be refreshed: " + err.Error()})
		}
		for _, l := range behind {
			lags = append(lags, audit.Lag{Name: l.Name, Line: l.Line, Decision: l.Decision, Text: l.String()})
		}
	}
	return lags
}

// shownMembers are the members of the State and of a hot context that a brief
// shows.
var shownMembers = []string{
	"/project", "/pending_actions", "/open_questions", "/recent_decisions", "/active_goals", "/key_decisions", "/important_constraints", "/notes",
	"/current_file_context",
}

// briefWrong says what is wrong with what a brief shows.
func briefWrong(tree *fs.Tree, rec *brief.Records) (wrong []string) {
	names := []string{fs.State}
	if told := rec.Told(); told != "" {
		names = append(names, session.HotContext(told))
	}
	for _, name := range names {
		src, err := tree.ReadStored(name)
		if err != nil || views.Torn(tree, name, src) {
			continue
		}
		for _, f := range validate.In(tree, name, src) {
			shown := slices.ContainsFunc(shownMembers, func(m string) bool { return f.Pointer == m || strings.HasPrefix(f.Pointer, m+"/") })
			if shown && (f.Severity == validate.Error || f.Severity == validate.Warning) {
				wrong = append(wrong, fmt.Sprintf("%s:%d: %s", name, f.Line, f.Message))
			}
		}
	}
	return wrong
}
