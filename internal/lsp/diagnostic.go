package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"unicode/utf8"

	"github.com/forgemind/forgemind/validate"
)

// source names the server in diagnostics.
const source = "forgemind"

// mostDiagnostics is the largest number of diagnostics of a document.
const mostDiagnostics = 500

// diagnosticsOf returns findings of a document as diagnostics.
func diagnosticsOf(d *document, found []validate.Finding) []diagnostic {
	list := make([]diagnostic, 0, len(found))
	for i, f := range found {
		if i == mostDiagnostics {
			return append(list, diagnostic{Severity: severityInformation, Source: source,
				Message: fmt.Sprintf("%d more findings; 'forgemind validate' lists them", len(found)-i)})
		}
		list = append(list, diagnosticOf(d, f))
	}
	return list
}

func diagnosticOf(d *document, f validate.Finding) diagnostic {
	code, _ := json.Marshal(f.Rule) // a string
	start := d.offsetOf(f)
	made := diagnostic{
		Range: d.span(start, start+tokenLength(d.name, d.src[start:])), Severity: severityWarning, Code: code, Source: source, Message: f.Message,
	}
	if f.Severity == validate.Error {
		made.Severity = severityError
	}
	if f.Hint != "" {
		made.Message += "\nhint: " + f.Hint
	}
	return made
}

// ruleOf returns the name of the rule of a diagnostic, "" if it is another server's.
func ruleOf(d diagnostic) (rule string) {
	if d.Source == source && json.Unmarshal(d.Code, &rule) != nil {
		return ""
	}
	return rule
}

// offsetOf returns the offset of a finding in bytes. Unlike the protocol, validate does not end a
// line at a lone \r.
func (d *document) offsetOf(f validate.Finding) int {
	rest := d.src
	for range f.Line - 1 {
		_, after, found := bytes.Cut(rest, []byte("\n"))
		if !found {
			break
		}
		rest = after
	}
	at := len(d.src) - len(rest)
	for column := 1; column < f.Column && at < len(d.src) && d.src[at] != '\n'; column++ {
		_, size := utf8.DecodeRune(d.src[at:])
		at += size
	}
	return at
}

// tokenLength returns the length of what a finding at the start of rest marks: a JSON value on one
// line, or the rest of the line.
func tokenLength(name string, rest []byte) int {
	if end := bytes.IndexAny(rest, "\r\n"); end >= 0 {
		rest = rest[:end]
	}
	if ext := path.Ext(name); len(rest) == 0 || ext != ".json" && ext != ".jsonl" {
		return len(bytes.TrimRight(rest, " \t"))
	}
	switch rest[0] {
	case '"':
		return stringEnd(rest)
	case '{', '[':
		depth := 0
		for i := 0; i < len(rest); i++ {
			switch rest[i] {
			case '"':
				i += stringEnd(rest[i:]) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return len(rest)
	}
	if end := bytes.IndexAny(rest, ", \t]}:"); end > 0 {
		return end
	}
	return len(rest)
}

// stringEnd returns the offset after the JSON string at the start of src, which ends with its line
// at the latest.
func stringEnd(src []byte) int {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n', '\r':
			return i
		}
	}
	return len(src)
}
