package refresh

import (
	"bytes"
	"errors"
	iofs "io/fs"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/validate"
)

// A verdict records the findings of a document that were told.
type verdict struct {
	rules   string // of its findings
	isError bool   // one of them is an error, or the document is torn
}

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
	var told []validate.Finding
	var now verdict
	for _, f := range findings {
		isError := f.Severity == validate.Error || f.Rule == "torn-view"
		if isError || f.Rule == "stray-copy" { // which fires nothing either
			told = append(told, f)
			now.rules += f.Rule + " "
			now.isError = now.isError || isError
		}
	}
	if changed || now.rules != l.invalid[name].rules { // else it was told
		for _, f := range told {
			l.tellFinding(f)
		}
	}
	if len(told) == 0 && l.invalid[name].rules != "" {
		l.tell(Occurrence{Time: l.now(), Event: Valid, File: name})
	}
	if delete(l.invalid, name); len(told) > 0 {
		l.invalid[name] = now
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
