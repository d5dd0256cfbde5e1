package remote

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// Names of the sections of the user's configuration.
const (
	Summarizer = "summarizer"
	Embeddings = "embeddings"
)

// maxTimeout is the longest timeout that a section may set.
const maxTimeout = 10 * time.Minute

// A ConfigError reports an invalid configuration.
type ConfigError struct {
	Name string // name of the file
	Line int    // 1-based
	Msg  string
	Hint string // what the user can do; "" if Msg is enough
}

func (e *ConfigError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Msg) }

// A Config is the user's configuration, with the tree of the section that is being read.
type Config struct {
	Name string // name of the file
	Src  []byte
	Doc  jsonedit.Doc
}

// Fail returns an error about the value or member at node.
func (c *Config) Fail(node int, hint, format string, args ...any) error {
	return &ConfigError{c.Name, c.Line(node), fmt.Sprintf(format, args...), hint}
}

// Line returns the line of a node, from 1.
func (c *Config) Line(node int) int {
	if node < 0 {
		return 1
	}
	line, _, _ := jsonedit.Position(c.Src, int(c.Doc.Nodes[node].Start))
	return line
}

// Section parses Src and returns the node of one of its sections, or -1 if there is none.
func (c *Config) Section(name string) (int, error) {
	if err := c.Doc.Parse(c.Src); err != nil {
		var where *jsonedit.SyntaxError
		line, msg := 1, err.Error()
		if errors.As(err, &where) {
			line, _, _ = jsonedit.Position(c.Src, where.Offset)
			msg = where.Msg
		}
		return -1, &ConfigError{c.Name, line, msg, "the file is to be JSON, such as {\"" + name + "\": {…}}"}
	}
	if c.Doc.Nodes[0].Kind != jsonedit.Object {
		return -1, c.Fail(0, "", "the configuration is %v, not an object", c.Doc.Nodes[0].Kind)
	}
	if len(c.Doc.Duplicates) > 0 {
		i := c.Doc.Duplicates[0]
		return -1, c.Fail(i, "", "%q appears twice", Cut(c.Doc.Key(i), 40))
	}
	for i := range c.Doc.Children(0) {
		if key := c.Doc.Key(i); key != Summarizer && key != Embeddings {
			return -1, c.Fail(i, "it may hold \"summarizer\" and \"embeddings\"", "%q is nothing that forgemind's configuration holds", Cut(key, 40))
		}
	}
	i := c.Doc.Member(0, name)
	if i >= 0 && c.Doc.Nodes[i].Kind != jsonedit.Object {
		return -1, c.Fail(i, "", "%q is %v, not an object", name, c.Doc.Nodes[i].Kind)
	}
	return i, nil
}

// Members returns an error unless a section has all members in needed and, besides them, only
// members in optional. The argument what describes the section in messages, such as "a summarizer
// of kind openai".
func (c *Config) Members(section int, what string, needed, optional []string) error {
	may := slices.Concat(needed, optional)
	for i := range c.Doc.Children(section) {
		key := c.Doc.Key(i)
		if key == "api_key" {
			return c.Fail(i, "put it into an environment variable and name that in \"api_key_env\"", "an API key must not be in a file")
		}
		if !slices.Contains(may, key) {
			return c.Fail(i, "it may hold "+strings.Join(may, ", "), "%s has no %q", what, Cut(key, 40))
		}
	}
	for _, key := range needed {
		if c.Doc.Member(section, key) < 0 {
			return c.Fail(section, "add it", "%s needs %q", what, key)
		}
	}
	return nil
}

// Decode decodes a section into v.
func (c *Config) Decode(section int, v any) error {
	err := jsonedit.Decode(c.Doc.Raw(section), v)
	var where *jsonedit.PointerError
	if errors.As(err, &where) {
		at := c.Doc.Find(c.Doc.Pointer(section) + where.Pointer)
		return c.Fail(at, "", "%s: %s", strings.TrimPrefix(where.Pointer, "/"), where.Msg)
	}
	if err != nil {
		return c.Fail(section, "", "%v", err)
	}
	return nil
}

// variable matches the name of an environment variable.
var variable = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Judge returns an error if a member that all sections have in common has an invalid value.
func (c *Config) Judge(node int) error {
	key := c.Doc.Key(node)
	text, _ := c.Doc.Str(node)
	seconds, _ := c.Doc.Float(node)
	unfit := strings.TrimSpace(text) == "" || len(text) > 200 || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
	switch {
	case c.Doc.Nodes[node].Kind == jsonedit.Null:
		return c.Fail(node, "leave it out, or give it a value", "%q is null", key)
	case key == "model" && unfit:
		return c.Fail(node, "", "\"model\" is no name of a model")
	case key == "api_key_env" && !variable.MatchString(text):
		return c.Fail(node, "the key itself must not be in a file", "\"api_key_env\" is expected to be the name of an environment variable")
	case key == "timeout_seconds" && !(seconds > 0 && seconds <= maxTimeout.Seconds()):
		return c.Fail(node, "", "\"timeout_seconds\" is to be more than 0 and at most %v", maxTimeout.Seconds())
	}
	return nil
}
