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

// settle keeps the files that change: none, if there is one that cannot be edited.
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

// refuse leaves everything as it is because of err.
func (p *Plan) refuse(err error) {
	p.Faults, p.Edits, p.Agents, p.Notes = append(p.Faults, err), nil, nil, nil
}

// missing finds the folders that are to be made for the file, besides those of made.
func (e *Edit) missing(made map[string]bool) error {
	at := filepath.Dir(e.real) // what is not there is no link
	for dir := path.Dir(e.name); e.After != nil && dir != "." && !made[at]; dir, at = path.Dir(dir), filepath.Dir(at) {
		if there, err := e.out.Has(dir); there || err != nil {
			return err
		}
		made[at], e.dirs = true, append(e.dirs, at)
	}
	return nil
}

// Do changes the files, or none if the plan has a fault, or if what an uninstall
// will need cannot be noted. What cannot be written though it could be planned is left
// as it is, and is in Faults then.
func (p *Plan) Do() {
	if len(p.Faults) > 0 {
		return
	}
	if !p.removing { // who is interrupted then has noted more than was done, never less
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
	p.removeDirs()
	// What was announced is true of the files that were written, and no less of the
	// others.
	if err := p.keepReceipts(p.account); err != nil && !errors.Is(err, errNoPlace) {
		p.Notes = append(p.Notes, Note{Text: fmt.Sprintf("what is noted of the files for an uninstall could not be tidied up: %v", err)})
	}
}

// unnoted says what to do where receipts cannot be read, or cannot be kept.
func unnoted(file string, err error) error {
	refused := refusedFile(file, err)
	var f *Fault
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
	if errors.Is(err, fs.ErrOvertaken) && e.stands() { // another forgemind did the same
		return nil
	}
	return err
}

// stands says whether what was to be done has been done.
func (e *Edit) stands() bool {
	now, err := e.out.Read(e.name)
	return err == nil && e.After != nil && bytes.Equal(now, e.After) || errors.Is(err, iofs.ErrNotExist) && e.After == nil
}

// removeDirs takes the folders away that were made for files of ours which are taken out,
// where nothing else came into them.
func (p *Plan) removeDirs() {
	all := slices.Clone(p.receipts.Dirs)
	if !p.removing {
		all = slices.DeleteFunc(all, func(at string) bool {
			return !slices.ContainsFunc(p.Edits, func(e *Edit) bool { return e.After == nil && strings.HasPrefix(e.real, at+string(filepath.Separator)) })
		})
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }) // the inner ones first
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
