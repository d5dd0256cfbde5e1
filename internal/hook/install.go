package hook

import (
	"bytes"
	"errors"
	iofs "io/fs"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

// A Machine describes the machine of an installation.
type Machine struct {
	Project  string // project directory; "" for none
	Program  string // absolute path of the running program; "" if unknown
	Home     string // user's home directory; "" if unknown
	State    string // directory for receipts; "" if unknown
	Getenv   func(string) string
	LookPath func(string) (string, error)
}

// An InstallRequest describes what to install or remove.
type InstallRequest struct {
	Agents    []string // ids; none means all that are detected, or that have something of ours
	Scope     Scope
	Servers   bool // the MCP server, too
	Status    bool // the status line, too
	Commands  bool // slash commands, too
	Roles     bool // roles, too
	HooksOnly bool // no block
}

// wants reports whether a part is to be installed.
func (w InstallRequest) wants(part part) bool {
	switch part {
	case partServer:
		return w.Servers
	case partStatus:
		return w.Status
	case partCommand:
		return w.Commands
	case partRole:
		return w.Roles
	case partBlock:
		return !w.HooksOnly
	}
	return true
}

// An Edit is a file that a Plan changes.
type Edit struct {
	File          string // absolute path
	Before, After []byte // nil for no file

	out  *fs.Outside
	name string
	real string        // absolute path without symbolic links
	made []string      // see piece
	dirs []string      // missing parent folders, as absolute paths without symbolic links
	note receipt       // receipt of an earlier installation
	perm iofs.FileMode // permissions of a new file; 0 means 0644

	left  bool // our part was to be removed from it,
	keeps bool // and some of it stays
}

func (e *Edit) unchanged() bool {
	return bytes.Equal(e.Before, e.After) && (e.Before == nil) == (e.After == nil)
}

// A Note is a message about a file or an agent.
type Note struct {
	File string `json:"file,omitempty"` // absolute path
	Text string `json:"text"`
}

// A Skip is an agent that was skipped, with the reason.
type Skip struct {
	Agent string `json:"id"`
	Why   string `json:"why"`
}

// A Plan holds the changes of an installation or its removal. Making a plan changes nothing; Do
// executes it.
type Plan struct {
	Agents  []string // agents of the plan
	Skipped []Skip
	Edits   []*Edit // files that change; none if there is a fault
	Notes   []Note
	Faults  []error // files that cannot be edited, as *FileError

	world    Machine
	program  program
	scope    Scope
	removing bool
	outs     map[string]*fs.Outside
	files    map[string]*Edit // by absolute path
	order    []string
	receipts *receipts
}

// Close releases the resources of the plan.
func (p *Plan) Close() {
	for _, out := range p.outs {
		out.Close()
	}
}

// Program returns the program that the entries of the plan start: "forgemind", or a path.
func (p *Plan) Program() string { return p.program.name() }

// Install plans an installation: each agent's hooks in its own settings, the block in the file that
// it reads first, and the other parts that wish names. Existing content is kept, and nothing is
// added twice. A part of ours that exists although wish does not name it stays, and is updated to
// this version.
//
// This package and the wish decide what is installed, never a file of the project. The error is a
// *FileError if the receipts of earlier installations cannot be read.
func Install(w Machine, wish InstallRequest) (*Plan, error) {
	p, agents, err := beginChange(w, wish)
	if err != nil {
		return nil, err
	}
	for _, a := range agents {
		switch {
		case len(p.spots(a)) == 0:
			p.Skipped = append(p.Skipped, Skip{a.ID, a.Name + " has no settings of the user's own in a project"})
		case len(wish.Agents) == 0 && !a.detected(w, wish.Scope):
			p.Skipped = append(p.Skipped, Skip{a.ID, a.Name + " was not found: neither its folder nor its program is there"})
		default:
			p.agent(a, func(s spot, e *Edit) (string, error) { return p.put(a, s, e, wish) })
			p.advise(a, wish)
		}
	}
	p.adviseLocal()
	return p.settle(), nil
}

// put plans the changes for one spot.
func (p *Plan) put(a Agent, s spot, e *Edit, wish InstallRequest) (note string, err error) {
	src := e.After
	state, _ := s.piece.look(src)
	if !wish.wants(s.part) && !state.upToUs() {
		return "", nil
	}
	if s.part == partStatus && wish.Status {
		if why := p.otherLine(a, s); why != "" {
			return why, nil
		}
	}
	if (state == Other || state == Partly) && e.note.is(src) { // another version wrote it, and nobody changed it
		if src, _, err = s.piece.take(src, e.note.known()); err != nil {
			return "", err
		}
	}
	after, made, note, err := s.piece.put(src)
	if err == nil {
		e.After, e.made = after, append(e.made, made...)
	}
	return note, err
}

// Uninstall plans to remove what Install added: our entries, unchanged command files and blocks,
// and files and folders that were created for them. A file without other changes is restored
// exactly. The error is like that of Install.
func Uninstall(w Machine, wish InstallRequest) (*Plan, error) {
	p, agents, err := beginChange(w, wish)
	if err != nil {
		return nil, err
	}
	p.removing = true
	for _, a := range agents {
		p.agent(a, func(s spot, e *Edit) (string, error) {
			note, err := p.take(a, s, e, agents)
			e.left = true
			if err == nil && e.After != nil {
				state, _ := s.piece.look(e.After)
				e.keeps = e.keeps || state.ours()
			}
			return note, err
		})
	}
	if len(agents) == len(Agents()) {
		p.takeUnknown()
	}
	return p.settle(), nil
}

// take plans the removal for one spot.
func (p *Plan) take(a Agent, s spot, e *Edit, leaving []Agent) (note string, err error) {
	if e.After == nil {
		return "", nil
	}
	if s.part == partStatus && p.scope == Project {
		if state, _ := a.spots(Local, p.program)[0].piece.look(e.After); state.ours() {
			return "", nil // it is removed together with the hooks in its file
		}
	}
	if user := p.sharedWith(e, s, leaving); user != "" {
		return "it stays for " + user, nil
	}
	if before, ok := e.note.restored(e.Before, e.After); ok {
		if e.After = before; before == nil {
			return "", nil
		}
	}
	after, note, err := s.piece.take(e.After, e.note.known())
	if err == nil {
		e.After = after
	}
	return note, err
}

// begin opens a plan for the agents of a wish.
func begin(w Machine, wish InstallRequest) (*Plan, []Agent, error) {
	p := &Plan{world: w, program: programFor(w, wish.Scope), scope: wish.Scope, outs: map[string]*fs.Outside{}, files: map[string]*Edit{}}
	agents := Agents()
	if len(wish.Agents) > 0 {
		agents = slices.DeleteFunc(agents, func(a Agent) bool { return !slices.Contains(wish.Agents, a.ID) })
	}
	if wish.Scope == User && w.Home == "" {
		return nil, nil, errors.New("the environment does not name the user's home directory")
	}
	p.receipts = &receipts{Version: 1, Root: w.Project}
	if wish.Scope == User {
		p.receipts.Root = w.Home
	}
	return p, agents, nil
}

// beginChange opens a plan that changes files, and reads the receipts.
func beginChange(w Machine, wish InstallRequest) (*Plan, []Agent, error) {
	p, agents, err := begin(w, wish)
	if err != nil {
		return nil, nil, err
	}
	if err := p.readReceipts(); err != nil {
		p.Close()
		return nil, nil, err
	}
	return p, agents, nil
}

// spots returns the spots of an agent.
func (p *Plan) spots(a Agent) []spot { return a.spots(p.scope, p.program) }

// agent calls do for each spot of an agent.
func (p *Plan) agent(a Agent, do func(spot, *Edit) (note string, err error)) {
	for _, s := range p.spots(a) {
		e, err := p.file(a, s.name)
		note := ""
		if err == nil && e != nil {
			note, err = do(s, e)
			if err == nil && e.Before != nil && !e.unchanged() {
				if err = e.out.Writable(e.name); err != nil {
					err = refusedFile(e.File, err)
				}
			}
		}
		var fault *FileError
		if errors.As(err, &fault) && fault.File == "" {
			fault.File = e.File
		}
		switch {
		case err != nil:
			if !slices.ContainsFunc(p.Faults, func(f error) bool { return f.Error() == err.Error() }) { // two agents may share the file
				p.Faults = append(p.Faults, err)
			}
			return
		case note != "" && !slices.Contains(p.Notes, Note{e.File, note}):
			p.Notes = append(p.Notes, Note{e.File, note})
		}
	}
	p.Agents = append(p.Agents, a.ID)
}
