package summarizer

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// The kinds of summarizers.
const (
	Command   = "command"   // a program: text on standard input, summary on standard output
	OpenAI    = "openai"    // any server that speaks OpenAI's chat completions
	Anthropic = "anthropic" // any server that speaks Anthropic's messages
)

// How long an answer may take.
const (
	defaultTimeout = 30 * time.Second
	maxTimeout     = 10 * time.Minute
)

// A ConfigError is a configuration that cannot be followed.
type ConfigError struct {
	Name string // of the file
	Line int    // from 1
	Msg  string
	Hint string // what to do; "" where Msg says it
}

func (e *ConfigError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Msg) }

// settings are the members of "summarizer".
type settings struct {
	Kind      string   `json:"kind"`
	Command   []string `json:"command"`
	URL       string   `json:"url"`
	Model     string   `json:"model"`
	KeyEnv    string   `json:"api_key_env"`
	AllowHTTP bool     `json:"allow_http"`
	Timeout   float64  `json:"timeout_seconds"`
}

// needed and optional are the members that a kind must and may have.
func (s settings) needed() []string {
	if s.Kind == Command {
		return []string{"command"}
	}
	return []string{"model"}
}

func (s settings) optional() []string {
	if s.Kind == Command {
		return []string{"model", "timeout_seconds"}
	}
	return []string{"url", "api_key_env", "allow_http", "timeout_seconds"}
}

// Read reads the user's configuration; nil where it names no summarizer. name is
// the file's path; a program runs in its directory. getenv gives the API key,
// which stands in no file. What cannot be followed is a *ConfigError.
func Read(name string, src []byte, getenv func(string) string) (*Summarizer, error) {
	c := config{name: name, src: src}
	section, err := c.section()
	if section < 0 || err != nil {
		return nil, err
	}
	s, err := c.settings(section)
	if err != nil {
		return nil, err
	}
	made := &Summarizer{kind: s.Kind, model: s.Model, timeout: defaultTimeout}
	if s.Timeout != 0 {
		made.timeout = time.Duration(s.Timeout * float64(time.Second))
	}
	if s.Kind == Command {
		made.model = model(s)
		made.ask = (&program{args: s.Command, dir: dirOf(name)}).ask
		return made, nil
	}
	at, err := c.address(section, s)
	if err != nil {
		return nil, err
	}
	key := ""
	if s.KeyEnv != "" {
		if key = strings.TrimSpace(getenv(s.KeyEnv)); key == "" {
			made.lacks = &ConfigError{name, c.line(c.doc.Member(section, "api_key_env")), "the environment variable that api_key_env names is not set",
				"set it where forgemind runs, or take the summarizer out"}
		}
	}
	made.ask = (&endpoint{kind: s.Kind, url: at, model: s.Model, key: key}).ask
	return made, nil
}

// dirOf is the directory of the user's configuration, where nothing of a tree
// stands.
func dirOf(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Dir(name)
	}
	return ""
}

// model is what a program's summaries are labelled with.
func model(s settings) string {
	if s.Model != "" {
		return s.Model
	}
	return cut(filepath.Base(s.Command[0]), 80)
}

// A config is a configuration that is being read.
type config struct {
	name string
	src  []byte
	doc  jsonedit.Doc
}

// fail is an error about the value or member at node.
func (c *config) fail(node int, hint, format string, args ...any) error {
	return &ConfigError{c.name, c.line(node), fmt.Sprintf(format, args...), hint}
}

func (c *config) line(node int) int {
	if node < 0 {
		return 1
	}
	line, _, _ := jsonedit.Position(c.src, int(c.doc.Nodes[node].Start))
	return line
}

// section finds "summarizer"; -1 where there is none.
func (c *config) section() (int, error) {
	if err := c.doc.Parse(c.src); err != nil {
		var where *jsonedit.SyntaxError
		line, msg := 1, err.Error()
		if errors.As(err, &where) {
			line, _, _ = jsonedit.Position(c.src, where.Offset)
			msg = where.Msg
		}
		return -1, &ConfigError{c.name, line, msg, "the file is to be JSON, such as {\"summarizer\": {…}}"}
	}
	if c.doc.Nodes[0].Kind != jsonedit.Object {
		return -1, c.fail(0, "", "the configuration is %v, not an object", c.doc.Nodes[0].Kind)
	}
	if len(c.doc.Duplicates) > 0 {
		i := c.doc.Duplicates[0]
		return -1, c.fail(i, "", "%q stands twice", cut(c.doc.Key(i), 40))
	}
	for i := range c.doc.Children(0) {
		if key := c.doc.Key(i); key != "summarizer" {
			return -1, c.fail(i, "it may hold \"summarizer\"", "%q is nothing that forgemind's configuration holds", cut(key, 40))
		}
	}
	i := c.doc.Member(0, "summarizer")
	if i >= 0 && c.doc.Nodes[i].Kind != jsonedit.Object {
		return -1, c.fail(i, "", "\"summarizer\" is %v, not an object", c.doc.Nodes[i].Kind)
	}
	return i, nil
}

// settings reads the members of "summarizer", and says which are wrong.
func (c *config) settings(section int) (settings, error) {
	var s settings
	kind := c.doc.Member(section, "kind")
	if kind < 0 {
		return s, c.fail(section, "add \"kind\": one of "+strings.Join(kinds(), ", "), "\"kind\" is missing")
	}
	s.Kind, _ = c.doc.Str(kind)
	if !slices.Contains(kinds(), s.Kind) {
		return s, c.fail(kind, "it is one of "+strings.Join(kinds(), ", "), "%s is no kind of summarizer", cut(string(c.doc.Raw(kind)), 40))
	}
	may := slices.Concat([]string{"kind"}, s.needed(), s.optional())
	for i := range c.doc.Children(section) {
		key := c.doc.Key(i)
		if key == "api_key" {
			return s, c.fail(i, "put it into an environment variable and name that in \"api_key_env\"", "an API key stands in no file")
		}
		if !slices.Contains(may, key) {
			return s, c.fail(i, "it may hold "+strings.Join(may, ", "), "a summarizer of kind %s has no %q", s.Kind, cut(key, 40))
		}
	}
	for _, key := range s.needed() {
		if c.doc.Member(section, key) < 0 {
			return s, c.fail(section, "add it", "a summarizer of kind %s needs %q", s.Kind, key)
		}
	}
	if err := jsonedit.Decode(c.doc.Raw(section), &s); err != nil {
		var where *jsonedit.PointerError
		if errors.As(err, &where) {
			at := c.doc.Find("/summarizer" + where.Pointer)
			return s, c.fail(at, "", "%s: %s", strings.TrimPrefix(where.Pointer, "/"), where.Msg)
		}
		return s, c.fail(section, "", "%v", err)
	}
	return s, c.judge(section, s)
}

func kinds() []string { return []string{Command, OpenAI, Anthropic} }

// variable is the name of an environment variable.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// judge says which value of a summarizer cannot be.
func (c *config) judge(section int, s settings) error {
	unfit := func(text string) bool {
		return strings.TrimSpace(text) == "" || len(text) > 200 || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
	}
	for i := range c.doc.Children(section) {
		switch key := c.doc.Key(i); {
		case c.doc.Nodes[i].Kind == jsonedit.Null:
			return c.fail(i, "leave it out, or give it a value", "%q is null", key)
		case key == "model" && unfit(s.Model):
			return c.fail(i, "", "\"model\" is no name of a model")
		case key == "api_key_env" && !variable.MatchString(s.KeyEnv):
			return c.fail(i, "the key itself stands in no file", "\"api_key_env\" is to be the name of an environment variable")
		case key == "timeout_seconds" && !(s.Timeout > 0 && s.Timeout <= maxTimeout.Seconds()):
			return c.fail(i, "", "\"timeout_seconds\" is to be more than 0 and at most %v", maxTimeout.Seconds())
		case key == "command" && (len(s.Command) == 0 || strings.TrimSpace(s.Command[0]) == ""):
			return c.fail(i, "", "\"command\" names no program; it is a list: [\"program\", \"argument\"]")
		case key == "command" && filepath.Base(s.Command[0]) != s.Command[0] && !filepath.IsAbs(s.Command[0]):
			return c.fail(i, "give its whole path, or a name that is found in PATH", "\"command\" names a program by a path that depends on the working directory: %q", cut(s.Command[0], 100))
		case key == "command" && slices.ContainsFunc(s.Command, func(arg string) bool { return strings.Contains(arg, "\x00") }):
			return c.fail(i, "", "\"command\" holds a NUL character")
		}
	}
	return nil
}
