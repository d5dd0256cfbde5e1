package query

import (
	"context"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// staleKinds are the kinds of an audit that concern the content of a brief and do not depend
// on the present time.
var staleKinds = []string{"superseded-reference", "context-behind", "answered-question", "unblocked-action"}

// staleIn returns the stale references in the documents that a brief is made of, and in the
// decisions that they name. An audit of all documents takes longer than an agent waits.
func staleIn(ctx context.Context, tree *fs.Tree, rec *brief.Records, projects []condense.Project) (stale []string) {
	glimpse := glimpseOf(tree, rec, projects)
	report, err := audit.Audit(ctx, glimpse, audit.Options{
		Now: time.Time{}, // no item is late
		Contexts: func(fs.Reader, []schema.Decision) ([]audit.Lag, error) {
			return lagsOf(tree, projects, rec.Standing), nil
		},
	})
	if err != nil {
		return nil // the brief has no stale references then
	}
	for _, f := range report.Findings {
		if slices.Contains(staleKinds, f.Kind) {
			stale = append(stale, fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message))
		}
	}
	return stale
}

// A glimpse is a tree with only a few of its documents.
type glimpse struct {
	fs.Reader
	told  string              // the session that counts as active
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

// mostNamed limits the decisions of a glimpse.
const mostNamed = 100

// named returns the ids of the decisions that texts name, of those that superseded them, and
// of those that name an open question.
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

// outsideID reports whether r cannot be part of an id.
func outsideID(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' && r != '.'
}

// question begins the id of a question.
const question = "Q-"

// mostProjects limits the projects whose CONTEXT.md is compared.
const mostProjects = 20

// lagsOf returns in which sections the CONTEXT.md of projects is out of date. Each is
// compared only with the decisions of its project and those that superseded them, because
// comparing all decisions for each project would take too long.
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

// shownMembers are the members of the State and of a hot context that a selection includes.
var shownMembers = []string{
	"/project", "/pending_actions", "/open_questions", "/recent_decisions", "/active_goals", "/key_decisions", "/important_constraints", "/notes",
	"/current_file_context",
}

// wrongIn returns the faults of the documents that a brief shows.
func wrongIn(tree *fs.Tree, rec *brief.Records) (wrong []string) {
	names := []string{fs.State}
	if told := rec.Told(); told != "" {
		names = append(names, session.HotContext(told))
	}
	for _, name := range names {
		src, err := tree.Read(name)
		if err != nil {
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
