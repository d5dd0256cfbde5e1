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

// Limits in bytes.
const (
	maxSize   = 8 << 20   // of a JSON or text document, and of a line of JSONL
	maxLines  = 1 << 30   // of a JSONL document; fs has the same limit
	pieceSize = 256 << 10 // of the pieces in which JSONL is read
)

// A judge validates documents one after another, each by itself, and reuses its
// buffers. It must be used by one goroutine only.
type judge struct {
	document
	severity severities
	policy   *Policy
	schemas  []schemaEntry // of the current document
	comments []ignore      // of all documents
	buf      []byte
}

func newJudge(severity severities) *judge { return newJudgeOf(nil, severity) }

// newJudgeOf returns a judge that also judges by the schemas of a Policy.
func newJudgeOf(p *Policy, severity severities) *judge {
	j := &judge{severity: severity, policy: p}
	j.document.known = func(name string) bool { return ruleIndex(name) >= 0 }
	return j
}

// one validates the bytes of a whole file. If the name does not determine the kind of the
// document and guess is set, the content does.
func (j *judge) one(name string, kind fs.Doc, guess bool, src []byte) []Finding {
	j.open(name, kind, formOf(name), src)
	j.schemas = j.policy.schemasFor(name)
	if j.facts != nil {
		j.facts.begin(&j.document)
	}
	j.run(wholeRules)
	switch j.form {
	case formText:
		j.comments = append(j.comments, ignoreComments(name, j.src)...)
	case formJSON:
		if len(j.src) <= maxSize {
			j.text(0, j.src, guess)
		}
	case formJSONL:
		j.lines()
	}
	return j.findings(j.severity)
}

// stream validates a JSONL document piece by piece, so that it need not fit into
// memory. The error is fs.ErrTooLarge beyond maxLines.
func (j *judge) stream(name string, kind fs.Doc, r io.Reader) ([]Finding, error) {
	j.open(name, kind, formJSONL, nil)
	j.schemas = j.policy.schemasFor(name)
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
		if skipping { // the rest of a line that is too large
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

// piece validates the next lines of a JSONL document.
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

// lines validates the lines of the current piece of JSONL, each by itself.
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

// text validates one JSON text that starts at base.
func (j *judge) text(base int, src []byte, guess bool) {
	j.base, j.size, j.err, j.mark = base, len(src), nil, false
	j.tape.Nodes, j.tape.Duplicates, j.breaches = j.tape.Nodes[:0], j.tape.Duplicates[:0], nil
	clear(j.records)
	if len(src) <= maxSize {
		if len(src) > pieceSize { // growing in steps would take twice the memory
			n := 1 + bytes.Count(src, []byte(",")) + bytes.Count(src, []byte("{")) + bytes.Count(src, []byte("["))
			j.tape.Nodes = slices.Grow(j.tape.Nodes, min(n, jsonedit.MaxValues))
		}
		if err := j.tape.Parse(src); err != nil {
			if !errors.As(err, &j.err) {
				j.err = &jsonedit.SyntaxError{Msg: err.Error()}
			}
			if j.form == formJSONL { // the document has no other lines
				j.err.Msg = strings.ReplaceAll(j.err.Msg, " that begins on line 1", "")
			}
			j.mark = hasMarker(src)
		}
	}
	// No rule may compute with such a number, whichever rules are enabled.
	j.extreme = hasExtreme(&j.tape)
	if guess && j.kind == fs.NoDoc && j.parsed() {
		j.kind = contentKind(&j.tape)
	}
	j.run(recordRules)
	j.team()
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

// run runs every enabled rule.
func (j *judge) run(look func(*Rule) func(*document)) {
	for i := range rules {
		if f := look(&rules[i]); f != nil && j.severity[i] != Off {
			j.working = i
			f(&j.document)
		}
	}
}
