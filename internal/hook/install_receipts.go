package hook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	iofs "io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A receipts holds the receipts of a project or of the user.
type receipts struct {
	Version int       `json:"version"`
	Root    string    `json:"root"`
	Files   []receipt `json:"files"`
	Dirs    []string  `json:"dirs,omitempty"` // folders created for the files, as absolute paths

	out  *fs.Outside
	name string
	src  []byte
}

// readReceipts reads the receipts of the plan. Without them a file cannot be restored, so it is a
// *FileError if they cannot be read or it is unknown whether they exist.
func (p *Plan) readReceipts() error {
	if p.world.State == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(string(p.scope) + "\x00" + p.receipts.Root))
	dir, below := p.world.State, "installed/"+hex.EncodeToString(sum[:8])+".json"
	for {
		out, err := p.open(dir)
		if err == nil {
			p.receipts.out, p.receipts.name = out, below
			break
		}
		if !errors.Is(err, iofs.ErrNotExist) || dir == filepath.Dir(dir) {
			return unnoted(dir, err)
		}
		dir, below = filepath.Dir(dir), path.Join(filepath.Base(dir), below)
	}
	return p.receipts.read()
}

// read reads the stored receipts.
func (r *receipts) read() error {
	src, err := r.out.Read(r.name)
	r.Files, r.Dirs, r.src = nil, nil, nil
	if errors.Is(err, iofs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return unnoted(r.path(), err)
	}
	root := r.Root
	if jsonedit.Decode(src, r) != nil {
		r.Files, r.Dirs = nil, nil // an invalid file counts as empty
	} else if r.Version != 1 {
		return &FileError{File: r.path(), Msg: "a later version noted what was installed", Hint: "use that one, or move the file away: our entries are found without it, too"}
	}
	r.Version, r.src, r.Root = 1, src, root
	return nil
}

func (r *receipts) path() string {
	return filepath.Join(r.out.Dir(), filepath.FromSlash(r.name))
}

// of returns the receipt for a file with contents src, which are nil for no file. Without one it
// returns a receipt without a File.
func (r *receipts) of(file string, src []byte) receipt {
	i := slices.IndexFunc(r.Files, func(f receipt) bool { return f.File == file })
	if i < 0 {
		return receipt{}
	}
	return r.Files[i].effective(src)
}

// set replaces the receipt of a file. A receipt without a File removes it.
func (r *receipts) set(file string, n receipt) {
	i := slices.IndexFunc(r.Files, func(f receipt) bool { return f.File == file })
	switch {
	case i >= 0 && n.File == "":
		r.Files = slices.Delete(r.Files, i, i+1)
	case i >= 0:
		r.Files[i] = n
	case n.File != "":
		r.Files = append(r.Files, n)
	}
}

var errNoPlace = errors.New("there is no folder for the receipts of an installation")

// keepReceipts changes the stored receipts.
func (p *Plan) keepReceipts(change func(*receipts)) error {
	r := p.receipts
	if r.out == nil {
		if p.removing || len(p.Edits) == 0 {
			return nil
		}
		return errNoPlace
	}
	for range 10 { // another process may write them at the same time
		before, err := jsonedit.Marshal(r)
		if err != nil {
			return err
		}
		change(r)
		slices.SortFunc(r.Files, func(a, b receipt) int { return strings.Compare(a.File, b.File) })
		slices.Sort(r.Dirs)
		after, err := jsonedit.Marshal(r)
		if err != nil || bytes.Equal(before, after) {
			return err
		}
		if err = r.write(); !errors.Is(err, fs.ErrOvertaken) {
			return err
		}
		if err = r.read(); err != nil {
			return err
		}
	}
	return fs.ErrOvertaken
}

// announce stores receipts for the files that are about to be written.
func (p *Plan) announce(r *receipts) {
	for _, e := range p.Edits {
		r.set(e.real, e.receipt())
		r.Dirs = union(r.Dirs, e.dirs)
	}
}

// account updates the receipts to the files as they are now.
func (p *Plan) account(r *receipts) {
	for _, real := range p.order {
		e := p.files[real]
		now, err := e.out.Read(e.name)
		if err != nil && !errors.Is(err, iofs.ErrNotExist) {
			continue
		}
		n := r.of(real, now)
		if e.left && !e.keeps && e.stands() {
			n = receipt{}
		}
		r.set(real, n.settled())
	}
	r.Dirs = slices.DeleteFunc(r.Dirs, func(at string) bool {
		out, name := p.within(at)
		if out == nil {
			return false
		}
		there, err := out.Has(name)
		return !there && err == nil
	})
}

// within returns the open directory that contains a path, and the name in it, or nil.
func (p *Plan) within(at string) (*fs.Outside, string) {
	for _, out := range p.outs {
		if rel, err := filepath.Rel(out.Dir(), at); err == nil && rel != "." && filepath.IsLocal(rel) {
			return out, filepath.ToSlash(rel)
		}
	}
	return nil, ""
}

// write replaces the stored receipts.
func (r *receipts) write() error {
	if len(r.Files) == 0 && len(r.Dirs) == 0 {
		if r.src == nil {
			return nil
		}
		if err := r.out.Remove(r.name, r.src); err != nil {
			return err
		}
		r.src = nil
		return r.out.RemoveDir(path.Dir(r.name))
	}
	text, err := jsonedit.Marshal(r)
	if err == nil {
		_, err = r.out.Replace(r.name, r.src, text, 0o600)
	}
	if err == nil {
		r.src = text
	}
	return err
}

// takeUnknown plans to remove unchanged files that another version wrote and this version does not
// have.
func (p *Plan) takeUnknown() {
	out, err := p.open(p.receipts.Root)
	if err != nil {
		return
	}
	for _, r := range p.receipts.Files {
		name, err := filepath.Rel(out.Dir(), r.File)
		if err != nil || !filepath.IsLocal(name) || p.files[r.File] != nil {
			continue
		}
		name = filepath.ToSlash(name)
		src, err := out.Read(name)
		if err != nil && !errors.Is(err, iofs.ErrNotExist) {
			p.Faults = append(p.Faults, refusedFile(r.File, err))
		} else if before, ok := r.restored(src, src); err == nil && ok {
			p.files[r.File], p.order = &Edit{File: r.File, Before: src, After: before, out: out, name: name, real: r.File, note: r, left: true}, append(p.order, r.File)
		}
	}
}
