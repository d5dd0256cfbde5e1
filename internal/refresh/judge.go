package refresh

import (
	"bytes"
	"context"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/validate"
)

// judge tells what is wrong with one document, or that it is right again.
func (l *loop) judge(ctx context.Context, name string, changed bool) {
	findings, err := l.findings(ctx, name)
	if missing(err) {
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
		if f.Severity != validate.Error {
			continue
		}
		wrong = true
		if !changed && l.invalid[name] {
			break // that was told
		}
		l.tell(Occurrence{
			Time: l.now(), Event: Invalid, File: name, Line: f.Line, Column: f.Column, Pointer: f.Pointer,
			Rule: f.Rule, Severity: f.Severity, Message: f.Message, Hint: f.Hint,
		})
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
func (l *loop) findings(ctx context.Context, name string) ([]validate.Finding, error) {
	if !isJSON(name) {
		if _, err := l.tree.Look(name); missing(err) {
			return nil, err
		}
		severity := validate.Options{Severity: validate.Configured(l.tree)}
		return validate.Files(l.tree, []string{name}, severity).Findings, nil
	}
	src, err := l.settled(ctx, name)
	if missing(err) {
		return nil, err
	}
	if err != nil {
		return []validate.Finding{{File: name, Line: 1, Column: 1, Rule: "irregular-file", Severity: validate.Error, Message: err.Error()}}, nil
	}
	return validate.In(l.tree, name, src), nil
}

// ours says whether a document is as our last round wrote it.
func (l *loop) ours(name string) bool {
	written, ok := l.own[name]
	if !ok {
		return false
	}
	delete(l.own, name)
	src, err := l.tree.Read(name)
	return err == nil && bytes.Equal(src, written)
}

// settled reads a document. One that does not parse may be in the middle of
// being saved, and is read again until it does or the time for that is over.
func (l *loop) settled(ctx context.Context, name string) ([]byte, error) {
	deadline := time.Now().Add(saveGrace)
	if fi, err := l.tree.Look(name); err == nil && fi.ModTime().Add(saveGrace).Before(deadline) {
		deadline = fi.ModTime().Add(saveGrace) // nobody has written to it for so long
	}
	for {
		src, err := l.tree.Read(name)
		if err != nil {
			return src, err
		}
		if _, bad := jsonedit.Parse(src); bad == nil || !time.Now().Before(deadline) || ctx.Err() != nil {
			return src, nil
		}
		wait(ctx, saveEvery)
	}
}
