package condense

import (
	"bytes"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// IsFile reports whether name is the Name of a file that may hold a condensation. Those with a dot before their
// name are of programs that are in the middle of something.
func IsFile(name string) bool {
	home, rest, _ := strings.Cut(name, "/")
	dir, _, inside := strings.Cut(rest, "/")
	return inside && slices.Contains(homes[:], home) && dir == fs.CondensationsDir && path.Ext(name) == ".md" && !strings.HasPrefix(path.Base(name), ".")
}

// SameFile reports whether two names are of one condensation, by the path of its file, without the folder or
// without .md.
func SameFile(a, b string) bool { return pinName(a) == pinName(b) }

// CondensationAt returns the condensation whose file has the Name name, and its text. Both sides of a merge
// in one file are none.
func CondensationAt(r fs.Reader, name string) (c Condensation, src []byte, err error) {
	if src, err = r.Read(name); err != nil {
		return c, nil, err
	}
	if c, err = ReadCondensation(path.Base(name), src); err == nil && Unmerged(src) {
		err = ErrUnmerged
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return c, src, err
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

// Forms returns how many condensations stand in a text, one below the other.
func Forms(src []byte) (n int) {
	lines, code := formLines(src)
	for i, line := range lines {
		if !code[i] && titleLine.MatchString(line) {
			n++
		}
	}
	return max(n, 1)
}

// BreaksOff reports whether the text of a condensation ends in the middle of a line that says what was decided.
func BreaksOff(src []byte) bool {
	return readForm(src).under == labelDecision && !bytes.HasSuffix(src, []byte("\n"))
}

// IsDecided reports whether c says by itself that something was decided: what, and on which day. A form
// that nobody has filled in says neither.
func (c Condensation) IsDecided() bool { return c.Decision != "" && !c.Day().IsZero() }

// Day returns the beginning of the day that c is of, in UTC; the zero time if c does not say it.
func (c Condensation) Day() time.Time {
	day, _ := time.Parse(time.DateOnly, c.Date)
	return day
}

// WithRecord returns the text of a condensation with what was recorded of it, as c has it: the id of its
// decision, behind the last label of the form or where that label stands, and the ids of its thread and of what
// it supersedes in place of other words. All else stays as it is.
func WithRecord(src []byte, c Condensation) []byte {
	lines := slices.Collect(strings.Lines(string(src)))
	f := form{values: map[string]*strings.Builder{}}
	spans := map[string][2]int{} // of each label the first line and the last
	last := -1
	read, code := formLines(src)
	for i, line := range read {
		f.line(line, code[i])
		for label := range f.values {
			if _, known := spans[label]; !known {
				spans[label] = [2]int{i, i}
			}
		}
		if f.under != "" && line != "" {
			last = i
			spans[f.under] = [2]int{spans[f.under][0], i}
		}
	}
	if last < 0 {
		return src
	}
	end := "\n"
	if strings.HasSuffix(lines[0], "\r\n") {
		end = "\r\n"
	}
	var was Condensation
	was.take(&f)
	changed := map[int]string{} // what stands at a line from now on
	set := func(label, value, before string) {
		span, there := spans[label]
		if !there || value == before || value == "" {
			return
		}
		changed[span[0]] = strings.ReplaceAll(revalued(lines[span[0]], value), "\n", end)
		for i := span[0] + 1; i <= span[1] && label != labelLedger; i++ { // a paragraph may follow that
			changed[i] = ""
		}
	}
	set(labelThread, c.Thread, was.Thread)
	set(labelSupersedes, c.superseded(), was.superseded())
	set(labelLedger, c.DecisionID, was.DecisionID)
	_, named := spans[labelLedger]
	var b strings.Builder
	for i, line := range lines {
		if text, is := changed[i]; is {
			line = text
		}
		b.WriteString(line)
		if i == last && !named && c.DecisionID != "" {
			b.WriteString(behind(b.String(), end) + strings.ReplaceAll(labelled(labelLedger, c.DecisionID), "\n", end))
		}
	}
	return []byte(b.String())
}

// revalued returns a line that begins with a label, with another value behind it; below a heading, and a list,
// the value stands in lines of its own.
func revalued(line, value string) string {
	line = visible(line)
	at := len(line)
	if !headLine.MatchString(line) {
		m := bold.FindStringSubmatchIndex(line)
		if m == nil {
			m = bare.FindStringSubmatchIndex(line)
		}
		if m != nil {
			at = m[4]
		}
	}
	between := " "
	if headLine.MatchString(line) || strings.HasPrefix(value, "- ") {
		between = "\n"
	}
	return strings.TrimRight(line[:at], " \t") + between + value + "\n"
}

// behind returns what stands between a text and a label behind it: a line ends, and so does a list.
func behind(text, end string) (between string) {
	if !strings.HasSuffix(text, "\n") {
		text, between = text+end, end
	}
	line := strings.TrimRight(text, "\r\n")
	if bulleted.MatchString(visible(line[strings.LastIndexByte(line, '\n')+1:])) {
		between += end
	}
	return between
}
