package hook

import (
	"errors"
	iofs "io/fs"
	"path"
	"path/filepath"

	"github.com/forgemind/forgemind/fs"
)

// file returns the file of a spot. It returns nil if the agent's folder is missing and nothing is
// to be created.
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
	if whose := fs.KeptBy(real); whose != "" {
		return nil, &FileError{File: shown, Msg: "it leads to what " + whose + " keeps, and is no file of settings", Hint: "look who made that link; take it away, or put a regular file there"}
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

// userRoot returns the directory that the agent's user files must not leave, and their path below
// it: the user's home, or another folder that the environment names.
func (p *Plan) userRoot(a Agent) (dir, below string) {
	home := a.home(p.world)
	rel, err := filepath.Rel(p.world.Home, home)
	if err == nil && filepath.IsLocal(rel) {
		return p.world.Home, filepath.ToSlash(rel)
	}
	return filepath.Dir(home), filepath.Base(home)
}

// open opens a directory and keeps it open for later calls.
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

// refusedFile returns the error for a file that is not edited, with a hint.
func refusedFile(file string, err error) error {
	f := &FileError{File: file, Msg: err.Error()}
	switch {
	case errors.Is(err, fs.ErrLeaves):
		f.Msg, f.Hint = fs.ErrLeaves.Error(), "a file is only followed within the project, or the home directory; edit the one that the link leads to"
	case errors.Is(err, fs.ErrIrregular):
		f.Msg, f.Hint = "it is not a regular file, or it has several hard links", "put a regular file there, or move it away"
	case errors.Is(err, fs.ErrTooLarge):
		f.Msg, f.Hint = "it is larger than 8 MiB, too large for settings", "check the file"
	case errors.Is(err, fs.ErrReadOnly):
		f.Msg, f.Hint = "it is read-only", "make it writable, unless it is read-only for a reason"
	case errors.Is(err, iofs.ErrPermission):
		f.Msg, f.Hint = "permission denied", "check its permissions and those of its folders"
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
