package engine

import (
	"bytes"
	"context"
	"maps"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// renewContexts brings the CONTEXT.md files up to date where what this round staged, or what
// others wrote here, is of a project. For what git brought that is due where it would change them.
func (r *round) renewContexts() error {
	here, fetched := r.heardOfProjects()
	here = slices.AppendSeq(append(here, r.written...), maps.Keys(r.tx.Staged()))
	fetched = append(fetched, r.fetched...)
	here = slices.DeleteFunc(here, func(name string) bool { return !isOfSettings(name) && fs.Place(name) != fs.DocDecision })
	lost, anyProject := r.lostContexts()
	if len(here)+len(fetched)+len(lost) == 0 || !anyProject { // then no decision needs be read
		return nil
	}
	if len(lost) > 0 || slices.ContainsFunc(here, r.ofProject) {
		return r.refreshFor("what a project stands on changed", lost)
	}
	if slices.ContainsFunc(fetched, r.ofProject) {
		r.renewFetched()
	}
	return nil
}

// lostContexts returns the CONTEXT.md files that are not there and that git did not take away, with what the
// last commit has of them: people may have written in it. It reports whether there is a project at all.
func (r *round) lostContexts() (lost map[string][]byte, anyProject bool) {
	there := map[string]bool{}
	var documents []string
	err := r.tx.Try(func(*fs.Tx) error {
		for name, err := range below(r.tx, "projects") {
			if err != nil {
				return err
			}
			if there[name] = true; fs.Place(name) == fs.DocProject {
				documents = append(documents, name)
			}
		}
		return nil
	})
	if err != nil { // whoever needs the projects is told
		return nil, true
	}
	var asked []string
	for _, name := range documents {
		if page := contextOf(name); !there[page] && r.isVacant(page) {
			asked = append(asked, name, page)
		}
	}
	repository := git.Find(r.tree.Root())
	if len(asked) == 0 || repository.Busy() != "" {
		return nil, len(documents) > 0
	}
	held, err := r.committed(asked)
	var tracked []string // what git rm took away, or a checkout that has not moved HEAD yet, is not
	if err == nil && repository != (git.Repo{}) {
		tracked, err = git.Tracked(context.Background(), r.tree.Root(), asked...)
	}
	if err != nil {
		return nil, true
	}
	lost = map[string][]byte{}
	for i := 0; i < len(asked); i += 2 {
		name, page := asked[i], asked[i+1]
		if text, was := held[page]; was && slices.Contains(tracked, page) || !was && (held[name] == nil || fs.Ignores(r.tx, page)) {
			lost[page] = text
		}
	}
	return lost, true
}

// isVacant reports whether nothing stands at a Name, not even a directory.
func (r *round) isVacant(name string) bool {
	_, err := r.tree.Look(name)
	return missing(err)
}

// contextOf returns the Name of the CONTEXT.md beside a project.json.
func contextOf(document string) string { return path.Join(path.Dir(document), "CONTEXT.md") }

// heardOfProjects returns the settings of projects and the decisions that a watcher heard of and that differ from the
// last commit, and the settings that git brought. Very many decisions are not compared.
func (r *round) heardOfProjects() (here, fetched []string) {
	var decisions []string
	for _, name := range r.event.Heard {
		if isOfSettings(name) {
			here = append(here, name)
		} else if fs.Place(name) == fs.DocDecision {
			decisions = append(decisions, name)
		}
	}
	if len(decisions) <= mostCauses {
		here = append(here, decisions...)
	}
	held, err := r.committed(here)
	if held == nil && err == nil { // there is no repository
		return here, nil
	}
	here = slices.DeleteFunc(here, func(name string) bool {
		src, unread := r.tree.ReadUnsettled(name)
		committed, ok := held[name]
		same := err != nil || ok == (unread == nil) && bytes.Equal(src, committed)
		if same && isOfSettings(name) {
			if err == nil && !ok {
				return false // a change that was never committed, and is gone
			}
			fetched = append(fetched, name)
		}
		return same
	})
	return here, fetched
}

// refreshFor does what a change of what projects stand on fires; see firing.missing.
func (r *round) refreshFor(reason string, lost map[string][]byte) error {
	for _, f := range r.occur(triggers.Facts{triggers.ProjectChanged: true}, refreshAction) {
		f.Reason, f.missing = reason, lost
		fired, err := r.runActions(&f)
		if err == nil && len(r.event.Heard) == 0 { // a watcher goes on without what cannot be done
			err = fired.Actions[0].Err
		}
		if err != nil {
			return err
		}
		r.tellFired(f, fired)
	}
	return nil
}

// renewFetched is renewContexts for what git brought: that waits until what is of a wider reach is done.
func (r *round) renewFetched() {
	queued := len(r.queue)
	for _, f := range r.occur(triggers.Facts{triggers.ProjectChanged: true}, refreshAction) {
		f.Reason, f.atOnce = "others changed what a project stands on", false
		r.queue = append(r.queue, f)
	}
	for i := range r.queue[queued:] {
		r.queue[queued+i].reach = brought
		r.queue[queued+i].decisions, _ = r.askedOf(batch, brought)
	}
}

// isOfSettings reports whether the settings of a project, or a change of them, stand in the file called name.
func isOfSettings(name string) bool {
	file, ok := records.FileOf(name)
	return ok && file.Folder.Kind.Name == records.Settings.Name
}

// ofProject reports whether a CONTEXT.md is made from a document: the settings of a project, or a decision that
// can be of a project.
func (r *round) ofProject(name string) bool {
	if isOfSettings(name) {
		return true
	}
	if fs.Place(name) == fs.DocDecision {
		src, err := r.tx.Read(name)
		if err != nil {
			return missing(err) // gone: no CONTEXT.md may show it
		}
		var d schema.Decision
		return jsonedit.Decode(src, &d) == nil && (d.Project != "" || d.Channel != "" || len(d.Supersedes) > 0)
	}
	return false
}
