package hook

import (
	"bytes"
	"errors"
	iofs "io/fs"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

// A World is what an installation takes from the machine it is on.
type World struct {
	Project  string // the project directory; "" where there is none
	Program  string // the program that runs now, absolute; "" where that is not known
	Home     string // the user's home directory; "" where it is not known
	State    string // where it is noted what was installed; "" where that is not known
	Getenv   func(string) string
	LookPath func(string) (string, error)
}

// A Wish is what is to be installed, or taken out.
type Wish struct {
	Agents    []string // their ids; none for all that are detected, or that have something of ours
	Scope     Scope
	Servers   bool // the MCP server, too
	Status    bool // the status line, too
	HooksOnly bool // no command files, roles and blocks
}

// An Edit is one file that a Plan changes.
type Edit struct {
	File          string // absolute
	Before, After []byte // nil for no file

	out  *fs.Outside
	name string
	real string        // absolute, with no link in it
	made []string      // see piece
	kept bool          // it holds what somebody made of ours
	dirs []string      // that are missing on the way, absolute, with no link in them
	note receipt       // of what was installed before
	perm iofs.FileMode // of a new file; 0 is 0644

	left  bool // ours was taken out of it,
	keeps bool // and something of ours stays
}

func (e *Edit) unchanged() bool {
	return bytes.Equal(e.Before, e.After) && (e.Before == nil) == (e.After == nil)
}

// A Note is something to be said of a file, or of an agent.
type Note struct {
	File string `json:"file,omitempty"` // absolute
	Text string `json:"text"`
}

// A Skip is an agent that was passed over, and why.
type Skip struct {
	Agent string `json:"id"`
	Why   string `json:"why"`
}

// A Plan is what an installation, or the taking out of one, would change. It was
// decided without changing anything; Do does it.
type Plan struct {
	Agents  []string // those that it is about
	Skipped []Skip
	Edits   []*Edit // only files that change; none if there is a fault
	Notes   []Note
	Faults  []error // of type *Fault: files that cannot be edited

	world    World
	program  program
	scope    Scope
	removing bool
	outs     map[string]*fs.Outside
	files    map[string]*Edit // by their absolute path
	order    []string
	receipts *receipts
	shadowed []*file // that are not installed, for a command of that name is there
}

// Close gives back what the plan holds.
func (p *Plan) Close() {
	for _, out := range p.outs {
		out.Close()
	}
}

// Program is what the entries of the plan start: "forgemind", or a path.
func (p *Plan) Program() string { return p.program.name() }

// Install plans an installation: each agent's hooks in its own settings, its
// command files, the roles, the block in the file that it reads first. What is
// there is left as it is; what is there already is not added twice.
//
// What is installed is decided by this package and the user's wish alone, never by
// a file of the project. Where the system does not give what was noted of earlier
// installations, there is no plan, and the error is a *Fault.
func Install(w World, wish Wish) (*Plan, error) {
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

// put plans what stands in one spot.
func (p *Plan) put(a Agent, s spot, e *Edit, wish Wish) (note string, err error) {
	switch s.part {
	case partHooks:
	case partServer:
		if !wish.Servers {
			return "", nil
		}
	case partStatus:
		if !wish.Status {
			return "", nil
		}
		if why := p.otherLine(a, s); why != "" {
			return why, nil
		}
	default:
		if wish.HooksOnly {
			return "", nil
		}
	}
	src := e.After
	if state, _ := s.piece.look(src); (state == Other || state == Partly) && e.note.is(src) && !e.note.Kept { // as another version wrote it, to the byte
		if src, _, err = s.piece.take(src, e.note.known()); err != nil {
			return "", err
		}
	}
	if file, is := s.piece.(*file); is && e.Before == nil && slices.Contains(p.shadowed, file) {
		return "there is another command of that name; it was left out", nil
	}
	after, made, note, err := s.piece.put(src)
	if old, is := s.piece.(*former); is {
		after, note = p.putFormer(e, old, after, note)
	}
	if err == nil {
		e.After, e.made = after, append(e.made, made...)
		e.left = e.left || after == nil
		state, _ := s.piece.look(after)
		e.kept = e.kept || state == Other || state == Broken // which says nothing of the rest
	}
	return note, err
}

// putFormer returns what becomes of a file of a former place, and what is to be said of it: what
// is not ours keeps the command of its name from being installed, and what cannot be removed stays.
func (p *Plan) putFormer(e *Edit, old *former, after []byte, note string) ([]byte, string) {
	if e.Before == nil {
		return after, note
	}
	if state, _ := old.look(e.Before); state == Foreign {
		p.shadowed = append(p.shadowed, old.now...)
	}
	if after == nil {
		if err := e.out.Removable(e.name, e.Before); err != nil {
			return e.Before, "it cannot be removed; it was kept" + twiceOffered
		}
	}
	return after, note
}

// Uninstall plans to take out what Install has put in: entries of ours, command
// files and blocks that nobody changed since, and the files and folders that were
// made for them. A file in which nothing changed since becomes what it was, byte
// for byte. Its error is as that of Install.
func Uninstall(w World, wish Wish) (*Plan, error) {
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

// take plans to take out what stands in one spot.
func (p *Plan) take(a Agent, s spot, e *Edit, leaving []Agent) (note string, err error) {
	if e.After == nil {
		return "", nil
	}
	if s.part == partStatus && p.scope == Project {
		if state, _ := a.spots(Local, p.program)[0].piece.look(e.After); state.ours() {
			return "", nil // it goes with the hooks in its file
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
func begin(w World, wish Wish) (*Plan, []Agent, error) {
	p := &Plan{world: w, program: programFor(w, wish.Scope), scope: wish.Scope, outs: map[string]*fs.Outside{}, files: map[string]*Edit{}}
	agents := Agents()
	if len(wish.Agents) > 0 {
		agents = slices.DeleteFunc(agents, func(a Agent) bool { return !slices.Contains(wish.Agents, a.ID) })
	}
	if wish.Scope == User && w.Home == "" {
		return nil, nil, errors.New("the environment does not say where the user is at home")
	}
	p.receipts = &receipts{Version: 1, Root: w.Project}
	if wish.Scope == User {
		p.receipts.Root = w.Home
	}
	return p, agents, nil
}

// beginChange opens a plan that is to change something, for which it takes the receipts.
func beginChange(w World, wish Wish) (*Plan, []Agent, error) {
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

// spots are those of an agent.
func (p *Plan) spots(a Agent) []spot { return a.spots(p.scope, p.program) }

// agent plans one agent: do is called for each of its spots.
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
		var fault *Fault
		if errors.As(err, &fault) && fault.File == "" {
			fault.File = e.File
		}
		switch {
		case err != nil:
			if !slices.ContainsFunc(p.Faults, func(f error) bool { return f.Error() == err.Error() }) { // two agents may have the file
				p.Faults = append(p.Faults, err)
			}
			return
		case note != "" && !slices.Contains(p.Notes, Note{e.File, note}):
			p.Notes = append(p.Notes, Note{e.File, note})
		}
	}
	p.Agents = append(p.Agents, a.ID)
}
