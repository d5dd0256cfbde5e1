package refresh

import (
	"bytes"
	"cmp"
	"errors"
	iofs "io/fs"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/validate"
)

// judge tells what is wrong with one document, or that it is right again.
func (l *loop) judge(name string, changed bool) {
	findings, err := l.findings(name)
	if errors.Is(err, iofs.ErrNotExist) {
		delete(l.invalid, name)
		if changed {
			l.tell(Occurrence{Time: l.now(), Event: Changed, File: name, Message: "gone"})
		}
		return
	}
	if changed {
		l.tell(Occurrence{Time: l.now(), Event: Changed, File: name})
	}
	wrong := "" // the rule of the first finding that is told
	for _, f := range findings {
		if f.Severity != validate.Error && f.Rule != "torn-view" && f.Rule != "stray-copy" { // neither of the two fires anything
			continue
		}
		if wrong = cmp.Or(wrong, f.Rule); !changed && l.invalid[name] == wrong {
			break // that was told
		}
		l.tellFinding(f)
	}
	if wrong == "" && l.invalid[name] != "" {
		l.tell(Occurrence{Time: l.now(), Event: Valid, File: name})
	}
	if delete(l.invalid, name); wrong != "" {
		l.invalid[name] = wrong
	}
}

// isCopy reports whether readers pass over the file at name, and judges it if it is a copy
// of another file. It notes what may be a copy, for judgeCopies.
func (l *loop) isCopy(name string, changed bool) bool {
	for _, of := range fs.Originals(name) {
		if !slices.Contains(l.copies[of], name) {
			l.copies[of] = append(l.copies[of], name)
		}
	}
	of, over := fs.PassedOver(l.tree, name)
	if of != "" {
		l.judge(name, changed)
	}
	return over
}

// judgeCopies judges what may be copies of the files at names, which changed, or of the
// folders they are in, but for those that were heard of themselves.
func (l *loop) judgeCopies(names []string, heard map[string]bool) {
	judged := map[string]bool{}
	for _, name := range names {
		for _, of := range []string{name, path.Dir(name)} {
			if judged[of] || len(l.copies[of]) == 0 {
				continue
			}
			judged[of] = true
			l.copies[of] = slices.DeleteFunc(l.copies[of], func(copied string) bool { return !l.there(copied) })
			for _, copied := range l.copies[of] {
				if !heard[copied] {
					l.judge(copied, false)
				}
			}
		}
	}
}

// findings judges one document by itself; io/fs.ErrNotExist where it is gone.
// Lines are judged as they are read, however many there are.
func (l *loop) findings(name string) ([]validate.Finding, error) {
	if of, _ := fs.PassedOver(l.tree, name); of != "" || !isJSON(name) {
		if _, err := l.tree.Look(name); errors.Is(err, iofs.ErrNotExist) {
			return nil, err
		}
		severity := validate.Options{Severity: validate.Configured(l.tree)}
		return validate.Files(l.tree, []string{name}, severity).Findings, nil
	}
	src, err := l.tree.ReadStored(name)
	if errors.Is(err, iofs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return []validate.Finding{{File: name, Line: 1, Column: 1, Rule: "irregular-file", Severity: validate.Error, Message: err.Error()}}, nil
	}
	if torn := validate.TornView(l.tree, name, src); len(torn) > 0 {
		return torn, nil
	}
	return validate.In(l.tree, name, src), nil
}

// ours reports whether a document is as the last round left it: the watcher may
// look at it between the write and Seen.
func (l *loop) ours(name string) bool {
	c, ok := l.own[name]
	if !ok {
		return false
	}
	src, err := l.tree.ReadUnsettled(name)
	switch {
	case c.Appended != nil:
		return err == nil && bytes.HasSuffix(src, c.Appended)
	case c.After == nil:
		return errors.Is(err, iofs.ErrNotExist)
	}
	return err == nil && bytes.Equal(src, c.After)
}
