package validate

import (
	"bytes"
	"iter"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

var conflictMarker = Rule{
	Name:     "conflict-marker",
	Severity: Error,
	Summary:  "Markers of an unfinished merge.",
	Help: `A merge left both sides in the file, between lines that begin with <<<<<<<,
======= and >>>>>>>. Nobody has decided yet what the document says.

Until then the watcher keeps the last good State, and no command writes the file.

Wrong:

    <<<<<<< HEAD
      "clarity": 85,
    =======
      "clarity": 90,
    >>>>>>> feature

Right:

      "clarity": 90,

To mend it, choose one side or join the two, and remove the three marker lines.
One finding stands for one conflict; that the text is no JSON is not said again.

` + "`forgemind validate --fix`" + ` does it where the two sides differ in nothing else than:

- messages, clarifications, a channel's pins, the decisions that the State shows: those
  of both are kept
- how far a thread went: as far as either side says; two condensations are yours to choose from
- a hot context, a session's metadata: the items and lists of both, the later activity
- an agent's notes: the dated entries of both
- a CONTEXT.md: what forgemind generates is written anew; what people wrote is yours

Of two condensations in one file each side may be one: give one of them a file of its own,
and name it so in its thread and its pins.
`,
	whole: func(d *document) {
		if d.form == formText {
			reportTextConflicts(d)
		}
	},
	record: func(d *document) {
		if !d.mark {
			return
		}
		end := d.base + d.size
		for at, marker := range markers(d.src[d.base:end]) {
			if !d.inConflict {
				d.reportConflict(at)
			}
			d.inConflict = marker != '>'
		}
	},
}

// reportTextConflicts reports the first line of every conflict in text. All three
// markers are needed, because a text may show a marker or underline a heading.
func reportTextConflicts(d *document) {
	start, middle := -1, false
	for at, marker := range markers(d.src) {
		switch marker {
		case '<':
			start, middle = at, false
		case '=':
			middle = start >= 0
		case '>':
			if middle {
				d.reportConflict(start)
			}
			start, middle = -1, false
		}
	}
}

func (d *document) reportConflict(at int) {
	line, _, _ := bytes.Cut(d.src[d.base+at:], []byte("\n"))
	d.report(at, "", "merge conflict marker "+quoted(string(bytes.TrimRight(line, "\r"))), d.conflictHint())
}

// conflictHint returns the hint for a conflict.
func (d *document) conflictHint() string {
	const decide = "decide what the document says and remove the marker lines"
	_, inside, _ := treeName(d.name)
	_, place, _ := strings.Cut(inside, "/")
	joined := isTalk(d.name) || isDiscussion(d.name) || isNote(d.name)
	switch d.kind {
	case fs.DocPins, fs.DocThread, fs.DocState, fs.DocHotContext, fs.DocSessionMeta:
		joined = true
	case fs.DocClarification:
		joined = d.form == formJSONL
	}
	switch {
	case joined || strings.HasPrefix(place, "projects/") && path.Base(place) == "CONTEXT.md":
		return "'forgemind validate --fix' joins both sides where that loses nothing; else " + decide
	case strings.HasPrefix(place, "condensations/"):
		return "two condensations may have met: give each a file of its own; else " + decide
	}
	return decide
}

// hasMarker reports whether a line of src is a conflict marker.
func hasMarker(src []byte) bool {
	for range markers(src) {
		return true
	}
	return false
}

// markers yields the offset and the character of each line of seven <, = or >, followed
// by a space or by nothing.
func markers(src []byte) iter.Seq2[int, byte] {
	const width = 7
	return func(yield func(int, byte) bool) {
		for at := 0; at < len(src); {
			rest := src[at:]
			if c := rest[0]; (c == '<' || c == '=' || c == '>') && len(rest) >= width {
				run := 1
				for run < len(rest) && rest[run] == c {
					run++
				}
				ends := run == len(rest) || rest[run] == ' ' || rest[run] == '\n' || rest[run] == '\r'
				if run == width && ends && !yield(at, c) {
					return
				}
			}
			next := bytes.IndexByte(rest, '\n')
			if next < 0 {
				return
			}
			at += next + 1
		}
	}
}
