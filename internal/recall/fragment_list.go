package recall

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/yaml"
)

// Fragments returns the fragments of both folders, the newest first. A file with invalid
// members is listed as ReadFragment reads it, and is a Fault as well.
func Fragments(r fs.Reader) ([]Fragment, []Fault, error) {
	var list []Fragment
	var faults []Fault
	fault := func(name string, err error) {
		var where *yaml.Error
		if errors.As(err, &where) {
			faults = append(faults, Fault{name, where.Line, err})
			return
		}
		faults = append(faults, Fault{Name: name, Err: err})
	}
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for name, err := range r.Names(fragmentsDir(home)) {
			if err != nil {
				fault(name, err)
				continue
			}
			if path.Ext(name) != ".md" {
				continue
			}
			src, err := r.Read(name)
			if err != nil {
				fault(name, err)
				continue
			}
			f, err := ReadFragment(name, src)
			if err != nil {
				fault(name, err)
			}
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b Fragment) int {
		if order := b.at().Compare(a.at()); order != 0 {
			return order
		}
		return strings.Compare(a.Name, b.Name)
	})
	return list, faults, nil
}
