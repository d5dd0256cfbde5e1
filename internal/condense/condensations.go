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

// A Filed is a condensation that stands in the tree.
type Filed struct {
	Condensation
	File string // its Name
}

// Condensations returns the condensations of the tree in the order of their
// names, and those that could not be read.
func Condensations(r fs.Reader) ([]Filed, []Fault, error) {
	var all []Filed
	var faults []Fault
	for _, home := range homes {
		for name, err := range r.Names(path.Join(home, fs.CondensationsDir)) {
			if err != nil {
				return nil, nil, fmt.Errorf("list the condensations: %w", err)
			}
			if path.Ext(name) != ".md" {
				continue
			}
			src, err := r.Read(name)
			switch {
			case err == nil:
			case errors.Is(err, iofs.ErrNotExist): // it is gone again
				continue
			case unfit(err):
				faults = append(faults, Fault{Name: name, Err: err})
				continue
			default: // it may be any: none is taken for missing
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
			c, err := ReadCondensation(path.Base(name), src)
			if err != nil {
				faults = append(faults, Fault{Name: name, Err: err})
				continue
			}
			all = append(all, Filed{c, name})
		}
	}
	return all, faults, nil
}

// unfit says whether a file is none that can hold a document.
func unfit(err error) bool { return errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) }

// File stages c as a new file below home and returns its Name. c.Name is filled
// in.
func File(tx *fs.Tx, home string, c *Condensation) (string, error) {
	taken := map[string]bool{}
	for _, home := range homes {
		for name, err := range tx.Names(path.Join(home, fs.CondensationsDir)) {
			if err != nil {
				return "", fmt.Errorf("list the condensations: %w", err)
			}
			taken[strings.ToLower(path.Base(name))] = true
		}
	}
	c.Name = fileName(*c, momentOf(c.Date), func(name string) bool { return taken[strings.ToLower(path.Base(name))] })
	file := path.Join(home, fs.CondensationsDir, c.Name)
	tx.Write(file, c.Markdown())
	return file, nil
}

// Relink stages that everything which names the condensation of a thread by a
// file that is gone names it by the file it stands in now: the thread and the pins of
// its channel, below either home.
func Relink(tx *fs.Tx, t Thread, now Filed, by string, at time.Time) error {
	was := t.Condensation
	if pinName(was) == pinName(now.File) {
		return nil
	}
	t.Condensation = path.Base(now.File)
	if err := t.change(tx, updated, by, at); err != nil || was == "" {
		return err
	}
	change := records.Change{What: updated, At: schema.FormatTime(at), By: by}
	_, faults, err := changePins(tx, change, map[string]any{"condensation": t.Condensation}, func(p schema.Pin) bool { return pinName(p.Condensation) == pinName(was) })
	if err == nil && len(faults) > 0 {
		err = faults[0].Err
	}
	return err
}
