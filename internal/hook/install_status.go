package hook

import (
	"errors"
	iofs "io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// A Part is one file of an agent, and what stands in it.
type Part struct {
	File   string `json:"id"`   // absolute
	Kind   string `json:"kind"` // hooks, statusline, mcp, block, command, setting, earlier command or role
	State  State  `json:"state"`
	Detail string `json:"detail,omitempty"`
}

// A Status is how an agent stands.
type Status struct {
	Agent    string `json:"id"`
	Name     string `json:"name"`
	Scope    Scope  `json:"scope"`
	Detected bool   `json:"detected"`
	State    State  `json:"state"`
	// Wants says what the user has to allow the agent before it runs the hooks; "" for nothing.
	Wants string `json:"wants,omitempty"`
	Parts []Part `json:"parts"`
}

// Look says of each agent of a wish what is installed.
func Look(w World, wish Wish) ([]Status, error) {
	p, agents, err := begin(w, wish)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var all []Status
	for _, a := range agents {
		spots := p.spots(a)
		if len(spots) == 0 {
			continue
		}
		status := Status{Agent: a.ID, Name: a.Name, Scope: wish.Scope, Detected: a.detected(w, wish.Scope), Parts: []Part{}}
		for _, s := range spots {
			part := p.look(a, s)
			if _, is := s.piece.(*former); is && part.State == Absent {
				continue
			}
			status.Parts = append(status.Parts, part)
		}
		status.State = overall(status.Parts)
		if h := status.Parts[0]; h.State.ours() {
			if e, err := p.file(a, spots[0].name); err == nil {
				status.Wants = a.wants(w, wish.Scope, spots[0].piece, e, e.Before)
			}
		}
		all = append(all, status)
	}
	return all, nil
}

// CommandsOf returns the slash commands, by the names of their files, of which a client, by
// the name that it gives itself, has files of ours: in the project, or the user's own.
func CommandsOf(w World, client string) (names []string) {
	i := slices.IndexFunc(Agents(), func(a Agent) bool { return a.client != "" && strings.HasPrefix(client, a.client) })
	if i < 0 {
		return nil
	}
	a := Agents()[i]
	for _, scope := range []Scope{Project, User} {
		if scope == Project && w.Project == "" {
			continue
		}
		p, _, err := begin(w, Wish{Scope: scope})
		if err != nil {
			continue
		}
		defer p.Close()
		for _, s := range p.spots(a) {
			if (s.part == partCommand || s.part == partFormer) && p.look(a, s).State.ours() {
				names = again(names, commandIn(s.name))
			}
		}
	}
	return names
}

// commandIn returns the name of the command of a file.
func commandIn(name string) string {
	if path.Base(name) == "SKILL.md" {
		name = path.Dir(name)
	}
	name, _, _ = strings.Cut(path.Base(name), ".")
	return name
}

// look says what stands in one spot.
func (p *Plan) look(a Agent, s spot) Part {
	part := Part{Kind: string(s.part), State: Absent}
	e, err := p.file(a, s.name)
	switch {
	case err != nil:
		part.State, part.Detail = Unread, err.Error()
		var fault *Fault
		if errors.As(err, &fault) {
			part.File, part.Detail = fault.File, fault.Msg
		}
	case e.Before == nil:
		part.File = e.File
	default:
		part.File = e.File
		part.State, part.Detail = s.piece.look(e.Before)
	}
	return part
}

// overall is what the parts come to: the hooks decide; what else of ours is there
// must be of this version, and start what is there.
func overall(parts []Part) State {
	state := parts[0].State
	for _, p := range parts[1:] {
		own := slices.Contains([]part{partCommand, partSetting, partRole}, part(p.Kind)) // no other agent or scope has it, too
		switch {
		case p.State == Broken && (state == Installed || state == Other), p.State == Other && state == Installed:
			state = p.State
		case own && state == Absent && p.State.ours():
			state = Partly
		}
	}
	return state
}

// ours says whether something of ours stands there.
func (s State) ours() bool {
	return s != Absent && s != Foreign && s != Unread
}

// detected says whether the agent is used here: its folder or its program is
// there.
func (a Agent) detected(w World, scope Scope) bool {
	for _, binary := range a.binaries {
		if _, err := w.LookPath(binary); err == nil {
			return true
		}
	}
	if home := a.home(w); home != "" && isDir(home) {
		return true
	}
	if scope == User || w.Project == "" {
		return false
	}
	out, err := fs.OpenOutside(w.Project)
	if err != nil {
		return false
	}
	defer out.Close()
	for _, name := range append([]string{a.folder}, a.marks...) {
		if there, err := out.Has(filepath.ToSlash(name)); there || err != nil { // what is wrong there is said of its files
			return true
		}
	}
	return false
}

func isDir(dir string) bool {
	out, err := fs.OpenOutside(dir)
	if err == nil {
		out.Close()
	}
	return err == nil || errors.Is(err, iofs.ErrPermission)
}
