package condense

import (
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// IsFile reports whether name is the Name of a file that may hold a condensation.
func IsFile(name string) bool {
	return path.Ext(name) == ".md" && slices.Contains(homes[:], path.Dir(path.Dir(name))) && path.Base(path.Dir(name)) == fs.CondensationsDir
}

// CondensationAt returns the condensation whose file has the Name name. Both sides of a merge in one
// file are none.
func CondensationAt(r fs.Reader, name string) (Condensation, error) {
	src, err := r.Read(name)
	if err != nil {
		return Condensation{}, err
	}
	c, err := ReadCondensation(path.Base(name), src)
	if err == nil && Unmerged(src) {
		err = ErrUnmerged
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return c, err
}

// FindCondensation returns the Name of the file of the condensation that which is: that Name, or the file
// without its folder or without .md. The error is fs.ErrNotExist if there is none.
func FindCondensation(r fs.Reader, which string) (string, error) {
	for _, home := range homes {
		for name, err := range r.Names(path.Join(home, fs.CondensationsDir)) {
			if err != nil {
				return "", fmt.Errorf("list the condensations: %w", err)
			}
			if IsFile(name) && (name == which || !strings.Contains(which, "/") && pinName(name) == pinName(which)) {
				return name, nil
			}
		}
	}
	return "", fmt.Errorf("there is no condensation %.200q: %w", which, iofs.ErrNotExist)
}

// IsDecided reports whether c says by itself that something was decided: what, and on which day. A form
// that nobody has filled in says neither.
func (c Condensation) IsDecided() bool { return c.Decision != "" && !c.Day().IsZero() }

// Day returns the beginning of the day that c is of, in UTC; the zero time if c does not say it.
func (c Condensation) Day() time.Time {
	day, _ := time.Parse(time.DateOnly, c.Date)
	return day
}

// WithLedger returns the text of a condensation with the id of its decision: behind the last label of
// the form, or where the label of the id stands already. All else stays as it is.
func WithLedger(src []byte, id string) []byte {
	lines := slices.Collect(strings.Lines(string(src)))
	f := form{values: map[string]*strings.Builder{}}
	last, ledger := -1, -1
	for i, line := range lines {
		line = visible(strings.TrimPrefix(line, "\uFEFF"))
		had := f.values[labelLedger] != nil
		f.line(line)
		if f.under != "" && line != "" {
			last = i
		}
		if !had && f.values[labelLedger] != nil {
			ledger = i
		}
	}
	end := "\n"
	if len(lines) > 0 && strings.HasSuffix(lines[0], "\r\n") {
		end = "\r\n"
	}
	added := fmt.Sprintf("**%s:** %s%s", labelLedger, id, end)
	switch {
	case ledger >= 0:
		lines[ledger] = added
	case last < 0:
		return src
	default:
		if !strings.HasSuffix(lines[last], "\n") {
			lines[last] += end
		}
		if bulleted.MatchString(visible(lines[last])) {
			added = end + added // else it would be a part of the list
		}
		lines = slices.Insert(lines, last+1, added)
	}
	return []byte(strings.Join(lines, ""))
}
