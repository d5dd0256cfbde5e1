package condense

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// Folder is the folder of condensations below either home.
const Folder = "condensations"

// IsCondensation reports whether a file called name is a condensation.
func IsCondensation(name string) bool {
	return path.Ext(name) == ".md" && path.Base(path.Dir(name)) == Folder
}

// A CondensationFile is a condensation with its place in the tree.
type CondensationFile struct {
	Condensation
	File string // name of the file in the tree
}

// Condensations returns the condensations of the tree sorted by name, and a fault for each file
// that could not be read.
func Condensations(r fs.Reader) ([]CondensationFile, []Fault, error) {
	var all []CondensationFile
	var faults []Fault
	for _, home := range homes {
		for name, err := range r.Names(path.Join(home, Folder)) {
			if err != nil {
				return nil, nil, fmt.Errorf("list the condensations: %w", err)
			}
			if path.Ext(name) != ".md" {
				continue
			}
			src, err := r.Read(name)
			switch {
			case err == nil:
			case errors.Is(err, iofs.ErrNotExist): // removed meanwhile
				continue
			case unfit(err):
				faults = append(faults, Fault{Name: name, Err: err})
				continue
			default: // it may be any of them, so none can be called missing
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
			c, err := ReadCondensation(path.Base(name), src)
			if err != nil {
				faults = append(faults, Fault{Name: name, Err: err})
				continue
			}
			all = append(all, CondensationFile{c, name})
		}
	}
	return all, faults, nil
}

// unfit reports whether err means that a file cannot hold a document.
func unfit(err error) bool { return errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) }

// File stages c as a new file below home and returns its name in the tree. It sets c.Name.
func File(tx *fs.Tx, home string, c *Condensation) (string, error) {
	taken := map[string]bool{}
	for _, home := range homes {
		for name, err := range tx.Names(path.Join(home, Folder)) {
			if err != nil {
				return "", fmt.Errorf("list the condensations: %w", err)
			}
			taken[strings.ToLower(path.Base(name))] = true
		}
	}
	c.Name = fileName(*c, momentOf(c.Date), func(name string) bool { return taken[strings.ToLower(path.Base(name))] })
	file := path.Join(home, Folder, c.Name)
	tx.Write(file, c.Markdown())
	return file, nil
}

// Relink updates everything that refers to the condensation of a thread by a file that is gone: the
// thread and the pins of its channel, below either home. They then refer to the file of now.
func Relink(tx *fs.Tx, t Thread, now CondensationFile, by string, at time.Time) error {
	was := t.Condensation
	if pinName(was) == pinName(now.File) {
		return nil
	}
	t.Condensation = path.Base(now.File)
	if err := t.change(tx, updated, by, at); err != nil || was == "" {
		return err
	}
	change := records.Change{What: updated, At: schema.FormatTime(at), By: by}
	_, faults, err := changePins(tx, change, map[string]any{"condensation": t.Condensation}, func(p schema.Pin, _ string) bool { return pinName(p.Condensation) == pinName(was) })
	if err == nil && len(faults) > 0 {
		err = faults[0].Err
	}
	return err
}
