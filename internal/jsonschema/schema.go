package jsonschema

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"

	library "github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
)

// Limits of schemas and of texts.
const (
	maxSchema  = 512 << 10 // bytes of one file
	maxFiles   = 50        // files that one schema refers to, with itself
	maxText    = 1 << 20   // bytes of a text that is checked
	maxPattern = 500       // instructions of a compiled pattern

	// A check may take freeSteps, and stepsPerValue for each value of the text.
	freeSteps     = 500_000
	stepsPerValue = 16
)

// A Schema is a compiled schema. It may be used by several goroutines.
type Schema struct {
	mu      sync.Mutex // for steps
	steps   *int       // that are left
	schema  *library.Schema
	sources map[string]any // by address
	name    string
}

// base is the address of the project directory. Its scheme belongs to nobody, so that no
// loader of the library knows it.
const base = "forgemind:///"

// Compile compiles the schema in the file name. Names are slash paths; read returns the
// file of a name.
func Compile(name string, read func(name string) ([]byte, error)) (s *Schema, err error) {
	s = &Schema{steps: new(int), sources: map[string]any{}, name: name}
	defer func() {
		if wrong := recover(); wrong != nil {
			s, err = nil, fmt.Errorf("%s: it cannot be compiled: %s", name, reason(fmt.Errorf("%v", wrong)))
		}
	}()
	c := library.NewCompiler()
	c.AssertFormat = true
	c.Formats["date-time"] = isTime
	c.RegisterExtension("steps", nil, counter{s.steps, name})
	c.LoadURL = func(address string) (io.ReadCloser, error) { return s.load(address, read) }
	if s.schema, err = c.Compile(addressOf(name)); err != nil {
		return nil, compileError(name, err)
	}
	return s, nil
}

// addressOf returns the address of the file name.
func addressOf(name string) string { return base + (&url.URL{Path: name}).EscapedPath() }

// A FileError reports a file of a schema that cannot be used.
type FileError struct {
	Name string
	Msg  string
}

func (e *FileError) Error() string { return e.Name + ": " + e.Msg }

// load reads the file at an address.
func (s *Schema) load(address string, read func(string) ([]byte, error)) (io.ReadCloser, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "forgemind" || u.Host != "" || u.RawQuery != "" {
		return nil, &FileError{s.name, "it refers to " + text.QuoteASCII(address) + ", which is no file of the project; nothing else is read"}
	}
	name := strings.TrimPrefix(u.Path, "/")
	if len(s.sources) >= maxFiles {
		return nil, &FileError{s.name, fmt.Sprintf("it refers to more than %d files", maxFiles)}
	}
	src, err := read(name)
	if err != nil {
		return nil, &FileError{name, err.Error()}
	}
	doc, err := parse(name, src)
	if err != nil {
		return nil, err
	}
	value := decode(doc, 0)
	s.sources[address] = value
	if m, ok := value.(map[string]any); ok {
		for _, member := range []string{"$id", "id"} {
			if id, ok := m[member].(string); ok {
				if to, err := u.Parse(id); err == nil {
					to.Fragment = ""
					s.sources[to.String()] = value
				}
			}
		}
	}
	return io.NopCloser(bytes.NewReader(src)), nil
}

// parse parses the file of a schema, with limits.
func parse(name string, src []byte) (*jsonedit.Doc, error) {
	if len(src) > maxSchema {
		return nil, &FileError{name, fmt.Sprintf("the schema is larger than the %d KiB that are read", maxSchema>>10)}
	}
	at := func(offset int) string {
		line, column, _ := jsonedit.Position(src, offset)
		return fmt.Sprintf("%s:%d:%d", name, line, column)
	}
	doc, err := jsonedit.Parse(src)
	if e := (*jsonedit.SyntaxError)(nil); errors.As(err, &e) {
		return nil, &FileError{at(e.Offset), e.Msg}
	}
	if len(doc.Duplicates) > 0 {
		i := doc.Duplicates[0]
		return nil, &FileError{at(int(doc.Nodes[i].KeyStart)), "member " + text.QuoteASCII(doc.Key(i)) + " appears twice in this object"}
	}
	for i := range doc.Nodes {
		if doc.Nodes[i].Kind == jsonedit.Number && !isModest(doc, i) {
			return nil, &FileError{at(int(doc.Nodes[i].Start)), "the number is too large, too small or too long"}
		}
	}
	return doc, nil
}

// isModest reports whether a number can be computed with exactly in little time.
func isModest(doc *jsonedit.Doc, i int) bool {
	raw := doc.Raw(i)
	if len(raw) > 100 {
		return false
	}
	_, exponent, _ := strings.Cut(strings.ToLower(string(raw)), "e")
	return len(strings.TrimLeft(exponent, "+-0")) <= 3
}

// compileError returns the error for a schema that the library refuses.
func compileError(name string, err error) error {
	var file *FileError
	var wrong *library.ValidationError
	var loop library.InfiniteLoopError
	switch {
	case errors.As(err, &file):
		return file
	case errors.As(err, &loop):
		return &FileError{name, "the schema refers to itself without end: " + reason(errors.New(string(loop)))}
	case errors.As(err, &wrong):
		for len(wrong.Causes) > 0 {
			wrong = wrong.Causes[0]
		}
		return &FileError{name, "it is no JSON Schema: " + reason(errors.New(pointerOf(wrong.InstanceLocation)+" "+wrong.Message))}
	}
	return &FileError{name, "it is no JSON Schema that is understood: " + reason(err)}
}

// reason returns the text of an error of the library for messages.
func reason(err error) string {
	return text.Limit(strings.TrimPrefix(strings.ReplaceAll(err.Error(), base, ""), "jsonschema: "), 300)
}

func pointerOf(location string) string {
	pointer, err := url.PathUnescape(location)
	if err != nil {
		return location
	}
	return pointer
}
