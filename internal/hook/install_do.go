package hook

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// settle keeps the files that change, or none if one cannot be edited.
func (p *Plan) settle() *Plan {
	if len(p.Faults) > 0 {
		p.Agents, p.Notes = nil, nil
		return p
	}
	made := map[string]bool{}
	for _, real := range p.order {
		e := p.files[real]
		if e.unchanged() {
			continue
		}
		if e.Before != nil {
			e.made = slices.DeleteFunc(e.made, func(m string) bool { return m == "" })
		}
		if err := e.missing(made); err != nil {
			p.refuse(refusedFile(e.File, err))
			return p
		}
		p.Edits = append(p.Edits, e)
	}
	return p
}

// refuse drops all edits because of err.
func (p *Plan) refuse(err error) {
	p.Faults, p.Edits, p.Agents, p.Notes = append(p.Faults, err), nil, nil, nil
}

// missing finds the folders to create for the file that are not in made.
func (e *Edit) missing(made map[string]bool) error {
	at := filepath.Dir(e.real) // a missing path is no link
	for dir := path.Dir(e.name); e.After != nil && dir != "." && !made[at]; dir, at = path.Dir(dir), filepath.Dir(at) {
		if there, err := e.out.Has(dir); there || err != nil {
			return err
		}
		made[at], e.dirs = true, append(e.dirs, at)
	}
	return nil
}

// Do writes the files. It writes none if the plan has a fault, or if the receipts that an uninstall
// needs cannot be stored. A file that cannot be written is left unchanged and added to Faults.
func (p *Plan) Do() {
	if len(p.Faults) > 0 {
		return
	}
	if !p.removing { // if interrupted here, the receipts list more than was done, never less
		err := p.keepReceipts(p.announce)
		if errors.Is(err, errNoPlace) {
			p.Notes = append(p.Notes, Note{Text: err.Error() + ": to take it out again will still take out our entries, and no others"})
		} else if err != nil {
			p.refuse(unnoted(p.receipts.path(), err))
			return
		}
	}
	for _, real := range p.order {
		e := p.files[real]
		e.out.Sweep(path.Dir(e.name))
	}
	var done []*Edit
	for _, e := range p.Edits {
		if err := e.do(); err != nil {
			p.Faults = append(p.Faults, refusedFile(e.File, err))
			continue
		}
		done = append(done, e)
	}
	p.Edits = done
	if p.removing {
		p.removeDirs()
	}
	// The announced receipts are correct for written files, and also for the others.
	if err := p.keepReceipts(p.account); err != nil && !errors.Is(err, errNoPlace) {
		p.Notes = append(p.Notes, Note{Text: fmt.Sprintf("the receipts for an uninstall could not be updated: %v", err)})
	}
}

// unnoted returns the error for receipts that cannot be read or stored.
func unnoted(file string, err error) error {
	refused := refusedFile(file, err)
	var f *FileError
	if errors.As(refused, &f) {
		f.Msg += "; nothing was changed, for an uninstall restores files by what is noted there"
		if !errors.Is(err, fs.ErrOvertaken) {
			f.Hint = "see that it can be read and written, or name another folder by XDG_STATE_HOME"
		}
	}
	return refused
}

// do writes the file.
func (e *Edit) do() (err error) {
	if e.After == nil {
		err = e.out.Remove(e.name, e.Before)
	} else {
		_, err = e.out.Replace(e.name, e.Before, e.After, cmp.Or(e.perm, 0o644))
	}
	if errors.Is(err, fs.ErrOvertaken) && e.stands() { // another process did the same
		return nil
	}
	return err
}

// stands reports whether the file has the contents to be written.
func (e *Edit) stands() bool {
	now, err := e.out.Read(e.name)
	return err == nil && e.After != nil && bytes.Equal(now, e.After) || errors.Is(err, iofs.ErrNotExist) && e.After == nil
}

// removeDirs removes the folders that were created for our files and are empty.
func (p *Plan) removeDirs() {
	all := slices.Clone(p.receipts.Dirs)
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }) // inner folders first
	for _, at := range all {
		out, name := p.within(at)
		if out == nil {
			continue
		}
		if err := out.RemoveDir(name); err != nil {
			p.Faults = append(p.Faults, refusedFile(at, err))
		}
	}
}
