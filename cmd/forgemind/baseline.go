package main

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"path/filepath"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/validate"
)

// baseline takes the findings that --baseline accepts out of the report. With --write-baseline it
// first writes the findings of the report into the file.
func (j *judgement) baseline() error {
	name := j.c.String("baseline")
	abs, err := j.abs(name)
	if err != nil {
		return err
	}
	dir, err := fs.OpenOutside(filepath.Dir(abs))
	if err != nil {
		return tellPath(name, err)
	}
	defer dir.Close()
	old, err := dir.Read(filepath.Base(abs))
	missing := errors.Is(err, iofs.ErrNotExist)
	if err != nil && !missing {
		return tellPath(name, err)
	}
	file := func(f validate.Finding) string { return j.besideBaseline(filepath.Dir(abs), f.File) }
	var accepted validate.Baseline
	switch {
	case j.c.Bool("write-baseline"):
		if accepted, err = j.writeBaseline(dir, filepath.Base(abs), old, file); err != nil {
			return tellPath(name, err)
		}
	case missing:
		return withHint(fmt.Errorf("%s: no such baseline", name), "'forgemind validate --baseline FILE --write-baseline' accepts the findings of today")
	default:
		if accepted, err = validate.ReadBaseline(name, old); err != nil {
			return withHint(err, "restore the file, or write it again with --write-baseline")
		}
	}
	unused := accepted.Accept(&j.report, file, "in the baseline "+filepath.ToSlash(name))
	j.report.Finish()
	if unused > 0 && !j.c.IsSet("stdin-path") && !j.c.Bool("changed") && j.c.NArg() == 0 {
		j.note("%s: %s of the baseline no longer there; --write-baseline removes them", inline(name), count(unused, "finding"))
	}
	return nil
}

// writeBaseline writes the findings of the report as a baseline.
func (j *judgement) writeBaseline(dir *fs.Outside, name string, old []byte, file func(validate.Finding) string) (validate.Baseline, error) {
	b, refused := validate.NewBaseline(j.report, file)
	src, err := b.Bytes()
	if err != nil {
		return b, err
	}
	if refused > 0 {
		j.note("%s not accepted: a baseline hides no lost or unreadable record", count(refused, "finding"))
	}
	verb := "would accept"
	if !j.c.Bool("dry-run") {
		verb = "accepted"
		if !bytes.Equal(old, src) {
			if _, err := dir.Replace(name, old, src, 0o644); err != nil {
				return b, err
			}
		}
	}
	j.note("%s: %s %s", inline(j.c.String("baseline")), verb, count(len(b.Findings), "finding"))
	return b, nil
}

// besideBaseline returns the path of a reported file relative to the directory of the baseline.
func (j *judgement) besideBaseline(dir, file string) string {
	if abs, err := j.abs(file); err == nil {
		if rel, err := filepath.Rel(dir, abs); err == nil {
			file = rel
		}
	}
	return filepath.ToSlash(file)
}
