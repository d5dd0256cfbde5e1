package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// readState is the State as commands show it, but that its decisions which hold no more
// say so.
func readState(_ context.Context, _ *server, tree *fs.Tree, _ string) (string, error) {
	src, err := tree.Read(fs.State)
	if err != nil {
		return "", err
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return string(src), nil
	}
	shown := doc.Member(0, "recent_decisions")
	if shown < 0 || doc.Nodes[shown].Kind != jsonedit.Array {
		return string(src), nil
	}
	standing := engine.StandingOf(tree)
	marked, n := src, 0
	for d := range doc.Children(shown) {
		id, _ := doc.Str(doc.Member(d, "id"))
		if by, superseded := standing.SupersededBy(id); superseded {
			value, err := jsonedit.Value(by)
			if err == nil {
				marked, err = jsonedit.Set(marked, fmt.Sprintf("/recent_decisions/%d/superseded_by", n), value)
			}
			if err != nil {
				return "", err
			}
		}
		n++
	}
	return string(marked), nil
}

func decisionIDs(tree *fs.Tree) (ids []string, err error) {
	known, _ := engine.Decisions(tree)
	for _, d := range slices.Backward(schema.Current(known).Current()) {
		ids = append(ids, d.ID)
	}
	return ids, nil
}

func readDecisions(_ context.Context, _ *server, tree *fs.Tree, _ string) (string, error) {
	known, _ := engine.Decisions(tree)
	var b strings.Builder
	b.WriteString("# Decisions that hold\n\n")
	for _, d := range slices.Backward(schema.Current(known).Current()) {
		shown := listDecision(d, "", 1000)
		b.WriteString("- " + shown.line() + "\n")
	}
	return b.String(), nil
}

func readDecision(_ context.Context, _ *server, tree *fs.Tree, id string) (string, error) {
	known, _ := engine.AllDecisions(tree)
	standing := schema.Current(known)
	for _, d := range known {
		if d.ID != id {
			continue
		}
		by, _ := standing.SupersededBy(id)
		text, err := jsonedit.Marshal(struct {
			*schema.Decision
			SupersededBy string `json:"superseded_by,omitempty"`
		}{&d, by})
		return string(text), err
	}
	return "", iofs.ErrNotExist
}

func projectIDs(tree *fs.Tree) (ids []string, err error) {
	all, _, err := condense.Projects(tree)
	for _, p := range all {
		ids = append(ids, p.Slug())
	}
	return ids, err
}

func readProject(_ context.Context, _ *server, tree *fs.Tree, id string) (string, error) {
	all, _, err := condense.Projects(tree)
	if err != nil {
		return "", err
	}
	for _, p := range all {
		if p.Slug() == id {
			src, err := tree.Read(p.Context)
			return string(src), err
		}
	}
	return "", iofs.ErrNotExist
}

// markdownIn lists the markdown files of a folder below either home by their ids.
func markdownIn(tree *fs.Tree, folder string) (files map[string]string, err error) {
	files = map[string]string{}
	for _, home := range []string{fs.Quaid, fs.Forgemind} { // the second wins
		for name, fault := range tree.Names(home + "/" + folder) {
			if fault != nil {
				err = errors.Join(err, fault)
			} else if id, ok := strings.CutSuffix(path.Base(name), ".md"); ok {
				files[id] = name
			}
		}
	}
	return files, err
}

func condensationIDs(tree *fs.Tree) ([]string, error) {
	files, err := markdownIn(tree, "condensations")
	var ids []string
	for id := range files {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(b, a) }) // a name begins with its date
	return ids, err
}

func readCondensation(_ context.Context, _ *server, tree *fs.Tree, id string) (string, error) {
	files, err := markdownIn(tree, "condensations")
	name, ok := files[id]
	if !ok {
		return "", cmp.Or(err, iofs.ErrNotExist)
	}
	src, err := tree.Read(name)
	return string(src), err
}

func sessionIDs(tree *fs.Tree) (ids []string, err error) {
	all, err := session.List(tree)
	for _, s := range all {
		if _, err := tree.Look(session.SummaryFile(s.SessionID)); err == nil {
			ids = append(ids, s.SessionID)
		}
	}
	return ids, err
}

func readSession(_ context.Context, _ *server, tree *fs.Tree, id string) (string, error) {
	src, err := tree.Read(session.SummaryFile(id))
	return string(src), err
}

func noteIDs(tree *fs.Tree) (ids []string, err error) {
	names, _, err := engine.Notes(tree)
	for _, name := range names {
		ids = append(ids, strings.TrimSuffix(path.Base(name), ".md"))
	}
	return ids, err
}

func readNote(_ context.Context, _ *server, tree *fs.Tree, id string) (string, error) {
	names, load, err := engine.Notes(tree)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if path.Base(name) == id+".md" {
			src, err := load(name)
			return string(src), err
		}
	}
	return "", iofs.ErrNotExist
}
