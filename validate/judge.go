package validate

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Sizes in bytes.
const (
	maxSize   = 8 << 20   // of a JSON or text document, and of a line of JSONL
	maxLines  = 1 << 30   // of a JSONL document, as far as fs reads one too
	pieceSize = 256 << 10 // in which JSONL is read
)

// A judge judges one document after another, each by itself, and keeps its
// buffers between them. It is for one goroutine.
type judge struct {
	document
	severity severities
	buf      []byte
}

func newJudge(severity severities) *judge {
	j := &judge{severity: severity}
	j.document.known = func(name string) bool { return ruleIndex(name) >= 0 }
	return j
}

// one judges the bytes of a whole file. Where its place does not say which
// document it is and guess is set, its content does.
func (j *judge) one(name string, kind fs.Doc, guess bool, src []byte) []Finding {
	j.open(name, kind, formOf(name), src)
	if j.facts != nil {
		j.facts.begin(&j.document)
	}
	j.run(wholeRules)
	switch j.form {
	case formJSON:
		if len(j.src) <= maxSize {
			j.text(0, j.src, guess)
		}
	case formJSONL:
		j.lines()
	}
	return j.findings(j.severity)
}

// stream judges a JSONL document piece by piece, so that it need not fit into
// memory. More than maxLines is fs.ErrTooLarge.
func (j *judge) stream(name string, kind fs.Doc, r io.Reader) ([]Finding, error) {
	j.open(name, kind, formJSONL, nil)
	whole := false
	if j.facts != nil {
		j.facts.begin(&j.document)
		defer func() {
			if !whole {
				j.facts.miss(&j.document)
			}
		}()
	}
	var out []Finding
	buf, skipping, first := j.buf[:0], false, true
	for size := 0; ; {
		buf = slices.Grow(buf, pieceSize)
		n, err := io.ReadFull(r, buf[len(buf):len(buf)+pieceSize])
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return out, err
		}
		if size += n; size > maxLines {
			return out, fs.ErrTooLarge
		}
		buf = buf[:len(buf)+n]
		if skipping { // the rest of a line that was too large
			i := bytes.IndexByte(buf, '\n') + 1
			if skipping = i == 0; skipping {
				i = len(buf)
			}
			j.skipped += i
			buf = buf[:copy(buf, buf[i:])]
		}
		lines := bytes.LastIndexByte(buf, '\n') + 1
		if end || lines == 0 && len(buf) > maxSize {
			lines = len(buf)
		}
		if lines > 0 {
			out = append(out, j.piece(buf[:lines], first)...)
			skipping = !end && buf[lines-1] != '\n'
			buf, first = buf[:copy(buf, buf[lines:])], false
		}
		if end || len(out) > maxFaults {
			j.buf, whole = buf, end
			return out, nil
		}
	}
}

// piece judges the next lines of a JSONL document.
func (j *judge) piece(src []byte, first bool) []Finding {
	j.src, j.bom, j.faults = src, false, j.faults[:0]
	if first {
		j.src, j.bom = bytes.CutPrefix(src, byteOrderMark)
	}
	j.run(wholeRules)
	j.lines()
	out := j.findings(j.severity)
	j.before, j.skipped = j.line, j.skipped+len(j.src)
	return out
}

// lines judges the lines of the piece of JSONL at work, each by itself.
func (j *judge) lines() {
	j.line = j.before
	for offset := 0; offset < len(j.src); {
		line, _, found := bytes.Cut(j.src[offset:], []byte("\n"))
		j.line++
		if len(bytes.TrimSpace(line)) > 0 {
			j.last = !found
			j.text(offset, line, false)
		}
		offset += len(line) + 1
	}
}

// text judges one JSON text that starts at base.
func (j *judge) text(base int, src []byte, guess bool) {
	j.base, j.size, j.err, j.mark = base, len(src), nil, false
	j.tape.Nodes, j.tape.Duplicates, j.breaches = j.tape.Nodes[:0], j.tape.Duplicates[:0], nil
	clear(j.records)
	if len(src) <= maxSize {
		if len(src) > pieceSize { // growing by and by would take twice the memory
			n := 1 + bytes.Count(src, []byte(",")) + bytes.Count(src, []byte("{")) + bytes.Count(src, []byte("["))
			j.tape.Nodes = slices.Grow(j.tape.Nodes, min(n, jsonedit.MaxValues))
		}
		if err := j.tape.Parse(src); err != nil {
			if !errors.As(err, &j.err) {
				j.err = &jsonedit.SyntaxError{Msg: err.Error()}
			}
			if j.form == formJSONL { // there is only this line
				j.err.Msg = strings.ReplaceAll(j.err.Msg, " that begins on line 1", "")
			}
			j.mark = hasMarker(src)
		}
	}
	// Nothing may compute with such a number, whichever rules are at work.
	j.extreme = hasExtreme(&j.tape)
	if guess && j.kind == fs.NoDoc && j.parsed() {
		j.kind = contentKind(&j.tape)
	}
	j.run(recordRules)
	switch {
	case j.facts == nil:
	case j.parsed():
		j.facts.note(&j.document)
	default:
		j.facts.miss(&j.document)
	}
}

func wholeRules(r *Rule) func(*document)  { return r.whole }
func recordRules(r *Rule) func(*document) { return r.record }

// run lets every rule look that is not switched off.
func (j *judge) run(look func(*Rule) func(*document)) {
	for i := range rules {
		if f := look(&rules[i]); f != nil && j.severity[i] != Off {
			j.working = i
			f(&j.document)
		}
	}
}
