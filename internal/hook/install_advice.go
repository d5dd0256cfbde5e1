package hook

import (
	"errors"
	"path"
	"slices"
)

// advise adds notes about what the user must know or do to make an agent's hooks work.
func (p *Plan) advise(a Agent, wish InstallRequest) {
	changes := slices.ContainsFunc(p.order, func(real string) bool {
		e := p.files[real]
		return e.name == p.hooksName(a) && !e.unchanged()
	})
	if !changes {
		return
	}
	if other := p.elsewhere(a); other != "" && (a.ID != "claude" || p.program.path != "") { // an agent runs identical hooks once
		p.tell(other, a.Name+" has forgemind's hooks in this file, too, and runs both")
	}
	if a.ID != "claude" { // it asks by itself
		own := p.spots(a)[0]
		if e, err := p.file(a, own.name); err == nil {
			for _, want := range a.wants(p.world, wish.Scope, e.File, len(own.piece.(*hooks).events)) {
				p.tell("", want)
			}
		}
	}
	switch a.ID {
	case "copilot":
		if wish.Scope == Project && slices.Contains(p.Agents, "claude") {
			p.tell("", "Copilot CLI also runs the hooks of .claude/settings.json, so that each runs twice; 'forgemind hook install --agent claude --user' avoids that")
		}
	case "claude":
		if wish.Scope == User && wish.Servers {
			p.tell("", "Claude Code keeps the servers for all projects in a file that it writes all the time; it was left alone: 'claude mcp add --scope user forgemind -- "+p.program.shell()+" mcp' adds ours")
		}
		if !wish.Status && !p.hasLine(a) {
			p.tell("", "Claude Code reports the usage of its window to a status line; --statusline installs one, so that forgemind knows the usage, too")
		}
	}
}

// adviseLocal adds a note that the user's own settings in a project should not be committed. Claude
// Code excludes the file from git when it creates it.
func (p *Plan) adviseLocal() {
	for _, real := range p.order {
		if e := p.files[real]; e.name == localSettings && e.Before == nil && e.After != nil {
			p.tell(e.File, "it is your own: keep it out of git")
		}
	}
}

func (p *Plan) tell(file, text string) { p.Notes = append(p.Notes, Note{file, text}) }

// hasLine reports whether the user has a status line.
func (p *Plan) hasLine(a Agent) bool {
	for _, s := range p.spots(a) {
		if s.part != partStatus {
			continue
		}
		e, err := p.file(a, s.name)
		if err != nil {
			return true // another note covers it
		}
		state, _ := s.piece.look(e.After)
		return state != Absent || p.otherLine(a, s) != ""
	}
	return true
}

// otherLine returns the status line that one in the file of line would hide, or may hide: that of
// the project, or the user's own for all projects. It returns "" if there is none.
func (p *Plan) otherLine(a Agent, line spot) string {
	if p.scope == User {
		return ""
	}
	shared := line
	shared.name = ".claude/settings.json"
	parts := []Part{p.look(a, shared)}
	status, err := Look(p.world, InstallRequest{Agents: []string{a.ID}, Scope: User})
	if err == nil {
		parts = append(parts, status[0].Parts...)
	}
	for _, part := range parts {
		switch {
		case part.Kind != string(partStatus) || part.State == Absent:
		case part.State == Unread:
			return "it might hide a status line in " + part.File + ", which cannot be read: " + part.Detail + "; it was left out"
		default:
			return "it would hide the status line in " + part.File + ", which was left alone"
		}
	}
	return ""
}

// elsewhere returns another settings file of the agent that also has our hooks, or "".
func (p *Plan) elsewhere(a Agent) string {
	for _, scope := range []Scope{Project, Local, User} {
		if scope == p.scope || scope != User && p.world.Project == "" {
			continue
		}
		status, err := Look(p.world, InstallRequest{Agents: []string{a.ID}, Scope: scope})
		if err == nil && len(status) > 0 && status[0].Parts[0].State.ours() {
			return status[0].Parts[0].File
		}
	}
	return ""
}

// hooksName returns the name of the file with the agent's hooks.
func (p *Plan) hooksName(a Agent) string {
	below := ""
	if p.scope == User {
		_, below = p.userRoot(a)
	}
	return path.Join(below, p.spots(a)[0].name)
}

// sharedWith returns the name of another agent that uses the spot and is not being removed, or "".
// An unreadable file counts as used.
func (p *Plan) sharedWith(e *Edit, s spot, leaving []Agent) string {
	if s.part != partBlock && s.part != partServer {
		return ""
	}
	for _, a := range Agents() {
		if slices.ContainsFunc(leaving, func(l Agent) bool { return l.ID == a.ID }) {
			continue
		}
		spots := p.spots(a)
		uses := slices.ContainsFunc(spots, func(o spot) bool {
			if o.part != s.part {
				return false
			}
			at, err := p.file(a, o.name) // with a link, two names may be one file
			return err == nil && at == e
		})
		if !uses || p.scope == User {
			continue
		}
		hooks, err := p.file(a, spots[0].name)
		var fault *FileError
		if errors.As(err, &fault) {
			return a.Name + ", if it has our hooks: " + fault.Error()
		}
		if hooks != nil && hooks.After != nil {
			if state, _ := spots[0].piece.look(hooks.After); state != Absent {
				return a.Name
			}
		}
	}
	return ""
}
