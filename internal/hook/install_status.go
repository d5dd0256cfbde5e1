package hook

import (
	"errors"
	iofs "io/fs"
	"path/filepath"

	"github.com/forgemind/forgemind/fs"
)

// A Part describes our part of one file of an agent.
type Part struct {
	File   string `json:"id"`   // absolute path
	Kind   string `json:"kind"` // hooks, mcp, block, command or role
	State  State  `json:"state"`
	Detail string `json:"detail,omitempty"`
}

// A Status describes the installation of an agent.
type Status struct {
	Agent    string `json:"id"`
	Name     string `json:"name"`
	Scope    Scope  `json:"scope"`
	Detected bool   `json:"detected"`
	State    State  `json:"state"`
	Parts    []Part `json:"parts"`
	// Wants holds what the user still has to do in the agent before it runs the hooks.
	Wants []string `json:"wants,omitempty"`
}

// Look returns the status of each agent of a wish.
func Look(w Machine, wish InstallRequest) ([]Status, error) {
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
			status.Parts = append(status.Parts, p.look(a, s))
		}
		status.State = overall(status.Parts)
		if h, ok := spots[0].piece.(*hooks); ok && status.Parts[0].State.ours() {
			status.Wants = a.wants(w, wish.Scope, status.Parts[0].File, len(h.events))
		}
		all = append(all, status)
	}
	return all, nil
}

// look returns the state of one spot.
func (p *Plan) look(a Agent, s spot) Part {
	part := Part{Kind: string(s.part), State: Absent}
	e, err := p.file(a, s.name)
	switch {
	case err != nil:
		part.State, part.Detail = Unread, err.Error()
		var fault *FileError
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

// overall returns the state for all parts. The hooks decide; the other parts must be of this
// version and start an existing program.
func overall(parts []Part) State {
	state := parts[0].State
	for _, part := range parts[1:] {
		own := part.Kind == string(partCommand) || part.Kind == string(partRole) // other agents and scopes do not have it
		switch {
		case part.State == Broken && (state == Installed || state == Other), part.State == Other && state == Installed:
			state = part.State
		case own && state == Absent && part.State.ours():
			state = Partly
		}
	}
	return state
}

// ours reports whether the file has something of ours.
func (s State) ours() bool {
	return s != Absent && s != Foreign && s != Unread
}

// upToUs reports whether the file has something of ours that nobody edited.
func (s State) upToUs() bool {
	return s.ours() && s != Edited && s != Damaged
}

// detected reports whether the agent is used here: its folder or its program is there.
func (a Agent) detected(w Machine, scope Scope) bool {
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
		if there, err := out.Has(filepath.ToSlash(name)); there || err != nil { // problems are reported for its files
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
