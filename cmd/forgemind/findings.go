package main

import (
	"io"
	"path/filepath"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/validate"
)

// writeFindings writes a report in one of validate.Formats. Where people name files from the
// working directory, CI names them from the top of the checkout, and so do the formats
// for it; a file that lies elsewhere has its absolute path there.
func (p *program) writeFindings(w io.Writer, format string, r validate.Report) error {
	if format == "text" || format == "json" {
		return validate.Write(w, format, r)
	}
	top, from, err := p.namesInCI()
	if err != nil {
		return err
	}
	r.Root, r.Checked, r.Findings = top, slices.Clone(r.Checked), slices.Clone(r.Findings)
	for i := range r.Checked {
		r.Checked[i] = from(r.Checked[i])
	}
	for i := range r.Findings {
		r.Findings[i].File = from(r.Findings[i].File)
	}
	r.Finish()
	return validate.Write(w, format, r)
}

// namesInCI returns the directory that CI names files from, and how it names a file that
// people name from the working directory.
func (p *program) namesInCI() (top string, name func(file string) string, err error) {
	here, err := p.abs(".")
	if err != nil {
		return "", nil, err
	}
	top = p.checkout(here)
	return top, func(file string) string {
		if !filepath.IsAbs(file) {
			file = filepath.Join(here, file)
		}
		if rel, ok := pathBelow(top, file); ok {
			return filepath.ToSlash(rel)
		}
		return filepath.ToSlash(file)
	}, nil
}

// checkout returns the directory that CI names files from: the one that GitHub or GitLab
// gives in the environment, if dir lies in it, else the top of the repository of dir, else
// dir.
func (p *program) checkout(dir string) string {
	for _, variable := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		top := p.Getenv(variable)
		if !filepath.IsAbs(top) {
			continue
		}
		if _, ok := pathBelow(top, dir); ok {
			return filepath.Clean(top)
		}
	}
	if top := fs.Repository(dir); top != "" {
		return top
	}
	return dir
}

// pathBelow returns the path of file from top on; false where it is not below top, by whatever
// links either is named.
func pathBelow(top, file string) (rel string, ok bool) {
	dir, base := filepath.Split(file)
	for _, ends := range [][2]string{{top, file}, {fs.Unlinked(top), filepath.Join(fs.Unlinked(filepath.Clean(dir)), base)}} {
		if rel, err := filepath.Rel(ends[0], ends[1]); err == nil && filepath.IsLocal(rel) {
			return rel, true
		}
	}
	return "", false
}
