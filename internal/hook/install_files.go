package hook

import (
	"errors"
	iofs "io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// file is the file of a spot; nil where an agent's folder is not there and nothing
// is to be made.
func (p *Plan) file(a Agent, name string) (*Edit, error) {
	dir, below := p.world.Project, ""
	if p.scope == User {
		dir, below = p.userRoot(a)
	}
	out, err := p.open(dir)
	if errors.Is(err, iofs.ErrNotExist) && p.removing {
		return nil, nil
	}
	if err != nil {
		return nil, refusedFile(dir, err)
	}
	shown := filepath.Join(dir, filepath.FromSlash(path.Join(below, name)))
	name = path.Join(below, name)
	real, err := out.Path(name)
	if err != nil {
		return nil, refusedFile(shown, err)
	}
	if whose := kept(real); whose != "" {
		return nil, &Fault{File: shown, Msg: "it leads to what " + whose + " keeps, and is no file of settings", Hint: "look who made that link; take it away, or put a regular file there"}
	}
	if e := p.files[real]; e != nil {
		return e, nil
	}
	src, err := out.Read(name)
	if err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return nil, refusedFile(shown, err)
	}
	e := &Edit{File: shown, Before: src, After: src, out: out, name: name, real: real, note: p.receipts.of(real, src)}
	p.files[real], p.order = e, append(p.order, real)
	return e, nil
}

// kept says whose own files lie where a path leads, so that no settings can: a link
// of a stranger's project may lead there. "" for nobody's.
func kept(real string) string {
	for part := range strings.SplitSeq(filepath.ToSlash(real), "/") {
		switch strings.ToLower(part) {
		case ".git":
			return "git"
		case fs.Forgemind, fs.Quaid:
			return "forgemind"
		}
	}
	return ""
}

// userRoot is the directory that the agent's files of the user must not leave, and
// where they stand below it: the user's home, or the folder that the environment
// names elsewhere.
func (p *Plan) userRoot(a Agent) (dir, below string) {
	home := a.home(p.world)
	rel, err := filepath.Rel(p.world.Home, home)
	if err == nil && filepath.IsLocal(rel) {
		return p.world.Home, filepath.ToSlash(rel)
	}
	return filepath.Dir(home), filepath.Base(home)
}

// open opens a directory once.
func (p *Plan) open(dir string) (*fs.Outside, error) {
	if out := p.outs[dir]; out != nil {
		return out, nil
	}
	out, err := fs.OpenOutside(dir)
	if err == nil {
		p.outs[dir] = out
	}
	return out, err
}

// refusedFile says what to do about a file that is not edited.
func refusedFile(file string, err error) error {
	f := &Fault{File: file, Msg: err.Error()}
	switch {
	case errors.Is(err, fs.ErrLeaves):
		f.Msg, f.Hint = fs.ErrLeaves.Error(), "a file is only followed within the project, or the home directory; edit the one that the link leads to"
	case errors.Is(err, fs.ErrIrregular):
		f.Msg, f.Hint = "it is no regular file with one name of its own", "put a regular file there, or move it away"
	case errors.Is(err, fs.ErrTooLarge):
		f.Msg, f.Hint = "it is larger than 8 MiB: these are no settings", "look what it is"
	case errors.Is(err, fs.ErrReadOnly):
		f.Msg, f.Hint = "it may not be written", "whoever made it read-only may have a reason; make it writable if not"
	case errors.Is(err, iofs.ErrPermission):
		f.Msg, f.Hint = "permission denied", "look at its permissions, and at those of the folders that it lies in"
	case errors.Is(err, iofs.ErrNotExist):
		f.Msg, f.Hint = "it is not there", "make the directory, or change the variable of the environment that names it"
	case errors.Is(err, fs.ErrOvertaken):
		f.Msg, f.Hint = fs.ErrOvertaken.Error(), "try again"
	default:
		var at *iofs.PathError
		if errors.As(err, &at) {
			f.Msg = at.Op + ": " + at.Err.Error()
		}
	}
	return f
}
