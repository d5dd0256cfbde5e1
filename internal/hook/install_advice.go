package hook

import (
	"errors"
	"path"
	"slices"
)

// advise says what the user has to know, or do, for the hooks of an agent to work.
func (p *Plan) advise(a Agent, wish Wish) {
	changes := slices.ContainsFunc(p.order, func(real string) bool {
		e := p.files[real]
		return e.name == p.hooksName(a) && !e.unchanged()
	})
	if !changes {
		return
	}
	if other := p.elsewhere(a); other != "" && (a.ID != "claude" || p.program.path != "") { // which runs one that stands twice once
		p.tell(other, a.Name+" has our hooks here, too, and runs those of both")
	}
	spot := p.spots(a)[0]
	if e, err := p.file(a, spot.name); err == nil {
		if wants := a.wants(p.world, p.scope, spot.piece, e, e.After); wants != "" {
			p.tell("", wants)
		}
	}
	switch a.ID {
	case "copilot":
		if wish.Scope == Project && slices.Contains(p.Agents, "claude") {
			p.tell("", "Copilot CLI also runs the hooks of .claude/settings.json, so that it has each twice; 'forgemind hook install --agent claude --user' keeps them apart")
		}
	case "opencode":
		p.tell("", "opencode fetches a package for plugins from npm when it starts, and waits for that where it is offline")
	case "claude":
		if wish.Scope == User && wish.Servers {
			p.tell("", "Claude Code keeps the servers for all projects in a file that it writes all the time; it was left alone: 'claude mcp add --scope user forgemind -- "+p.program.shell()+" mcp' adds ours")
		}
		if !wish.Status && !p.hasLine(a) {
			p.tell("", "Claude Code tells a status line how full its window is; with --statusline you get one, and forgemind knows it, too")
		}
	}
}

// adviseLocal says of a file of the user's own in a project that it is to stay
// theirs: where Claude Code makes it, it keeps it out of git.
func (p *Plan) adviseLocal() {
	for _, real := range p.order {
		if e := p.files[real]; e.name == localSettings && e.Before == nil && e.After != nil {
			p.tell(e.File, "it is your own: keep it out of git")
		}
	}
}

func (p *Plan) tell(file, text string) { p.Notes = append(p.Notes, Note{file, text}) }

// hasLine says whether the user has a status line.
func (p *Plan) hasLine(a Agent) bool {
	for _, s := range p.spots(a) {
		if s.part != partStatus {
			continue
		}
		e, err := p.file(a, s.name)
		if err != nil {
			return true // it is told of elsewhere
		}
		state, _ := s.piece.look(e.After)
		return state != Absent || p.otherLine(a, s) != ""
	}
	return true
}

// otherLine says which status line one in the file of line would hide, or might: that
// of all the project's people, or the user's own for all projects. "" is none.
func (p *Plan) otherLine(a Agent, line spot) string {
	if p.scope == User {
		return ""
	}
	shared := line
	shared.name = ".claude/settings.json"
	parts := []Part{p.look(a, shared)}
	status, err := Look(p.world, Wish{Agents: []string{a.ID}, Scope: User})
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

// elsewhere is the file of other settings of the agent in which our hooks stand,
// too; "" is none.
func (p *Plan) elsewhere(a Agent) string {
	for _, scope := range []Scope{Project, Local, User} {
		if scope == p.scope || scope != User && p.world.Project == "" {
			continue
		}
		status, err := Look(p.world, Wish{Agents: []string{a.ID}, Scope: scope})
		if err == nil && len(status) > 0 && status[0].Parts[0].State.ours() {
			return status[0].Parts[0].File
		}
	}
	return ""
}

// hooksName is the name of the file that holds the agent's hooks.
func (p *Plan) hooksName(a Agent) string {
	below := ""
	if p.scope == User {
		_, below = p.userRoot(a)
	}
	return path.Join(below, p.spots(a)[0].name)
}

// sharedWith is the name of an agent that stays and uses the spot, too, or may use it
// for all that can be read; "" if there is none.
func (p *Plan) sharedWith(e *Edit, s spot, leaving []Agent) string {
	if s.part == partHooks || s.part == partStatus {
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
			at, err := p.file(a, o.name) // two names may be one file, by a link
			return err == nil && at == e
		})
		if !uses || p.scope == User {
			continue
		}
		hooks, err := p.file(a, spots[0].name)
		var fault *Fault
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
