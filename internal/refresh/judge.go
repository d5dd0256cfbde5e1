package refresh

import (
	"bytes"
	"errors"
	iofs "io/fs"

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
	wrong := false
	for _, f := range findings {
		if f.Severity != validate.Error && f.Rule != "torn-view" && f.Rule != "stray-copy" { // neither of the two fires anything
			continue
		}
		wrong = true
		if !changed && l.invalid[name] {
			break // that was told
		}
		l.tellFinding(f)
	}
	if !wrong && l.invalid[name] {
		l.tell(Occurrence{Time: l.now(), Event: Valid, File: name})
	}
	if delete(l.invalid, name); wrong {
		l.invalid[name] = true
	}
}

// findings judges one document by itself; io/fs.ErrNotExist where it is gone.
// Lines are judged as they are read, however many there are.
func (l *loop) findings(name string) ([]validate.Finding, error) {
	if !isJSON(name) || l.tree.IsPassedOver(name) {
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
