package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/hook"
)

// hookStatus says what is installed: in the scope that is asked for, else in the
// project, with what the user's own settings have besides.
func (p *program) hookStatus(c *cli.Context) error {
	wish, err := p.hookWish(c)
	if err != nil {
		return err
	}
	w, err := p.hookWorld(c, wish.Scope, false)
	if err != nil {
		return err
	}
	agents, err := hook.Look(w, wish)
	if err != nil {
		return err
	}
	if !c.Bool("project") && wish.Scope == hook.Project {
		for _, scope := range []hook.Scope{hook.Local, hook.User} {
			wish.Scope = scope
			more, err := hook.Look(w, wish)
			if err == nil {
				agents = append(agents, slices.DeleteFunc(more, func(s hook.Status) bool { return s.State == hook.Absent })...)
			}
		}
	}
	program, missing := w.LookPath("forgemind")
	if wantsJSON(c) {
		return p.hookStatusJSON(agents, program, missing == nil)
	}
	for _, a := range agents {
		var notes []string
		switch {
		case a.Scope == hook.Local:
			notes = append(notes, "the user's own, for this project")
		case a.Scope == hook.User:
			notes = append(notes, "the user's, for all projects")
		}
		if !a.Detected {
			notes = append(notes, "not found here")
		}
		p.printf("%-9s%s%s\n", a.Agent, a.State, bracketed(notes))
		p.hookParts(a)
		if a.Wants != "" {
			p.printf("  %s\n", a.Wants)
		}
	}
	if missing != nil {
		p.printf("%s\n", inline(notOnPath(w, "forgemind")))
	} else {
		p.printf("forgemind is %s\n", inline(program))
	}
	return nil
}

func (p *program) hookStatusJSON(agents []hook.Status, program string, onPath bool) error {
	for i := range agents {
		for k := range agents[i].Parts {
			agents[i].Parts[k].File = p.shown(agents[i].Parts[k].File)
		}
	}
	return p.printJSON(struct {
		Version int           `json:"version"`
		OnPath  bool          `json:"on_path"`
		Program string        `json:"program,omitempty"`
		Agents  []hook.Status `json:"agents"`
	}{1, onPath, program, append([]hook.Status{}, agents...)})
}

// hookParts prints the parts of an agent of which something is there: one line a
// kind, and one for each that is not as it should be.
func (p *program) hookParts(a hook.Status) {
	var kinds []string
	count, there := map[string]int{}, map[string]int{}
	for _, part := range a.Parts {
		if count[part.Kind]++; count[part.Kind] == 1 {
			kinds = append(kinds, part.Kind)
		}
		if part.State == hook.Installed {
			there[part.Kind]++
		}
	}
	var words []string
	for _, kind := range kinds {
		switch {
		case there[kind] > 0 && count[kind] > 1:
			words = append(words, fmt.Sprintf("%d of %d %ss", there[kind], count[kind], kind))
		case a.State == hook.Absent && (kind == "block" || kind == "mcp"): // another agent's, which this one has, too
		case there[kind] > 0:
			words = append(words, kind)
		}
	}
	if len(words) > 0 {
		p.printf("  installed: %s\n", strings.Join(words, ", "))
	}
	for _, part := range a.Parts {
		if part.Detail != "" {
			p.printf("  %s: %s: %s\n", inline(p.shown(part.File)), part.State, inline(part.Detail))
		}
	}
}
