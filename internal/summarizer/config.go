package summarizer

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/remote"
)

// The kinds of summarizers.
const (
	Command   = "command"   // a program: text on standard input, summary on standard output
	OpenAI    = "openai"    // a server with OpenAI's chat completions API
	Anthropic = "anthropic" // a server with Anthropic's messages API
)

// defaultTimeout is the time limit of a request.
const defaultTimeout = 30 * time.Second

// A ConfigError reports an invalid configuration.
type ConfigError = remote.ConfigError

// settings are the members of "summarizer".
type settings struct {
	Kind    string   `json:"kind"`
	Command []string `json:"command"`
	Model   string   `json:"model"`
	Timeout float64  `json:"timeout_seconds"`
	remote.Server
}

// needed returns the members that a kind must have; optional returns those that it may
// have.
func (s settings) needed() []string {
	if s.Kind == Command {
		return []string{"kind", "command"}
	}
	return []string{"kind", "model"}
}

func (s settings) optional() []string {
	if s.Kind == Command {
		return []string{"model", "timeout_seconds"}
	}
	return []string{"url", "api_key_env", "allow_http", "timeout_seconds"}
}

// what describes the summarizer for people.
func (s settings) what() string { return "a summarizer of kind " + s.Kind }

// Read reads the user's configuration. It returns nil if the configuration has no
// summarizer. name is the path of the file; a program runs in its directory. getenv
// returns the API key, which is never in a file. An invalid configuration gives a
// *ConfigError.
func Read(name string, src []byte, getenv func(string) string) (*Summarizer, error) {
	c := config{remote.Config{Name: name, Src: src}}
	section, err := c.Section(remote.Summarizer)
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
	key, lacks := c.Key(section, s.Server, getenv)
	made.lacks = lacks
	made.ask = (&endpoint{kind: s.Kind, url: at, model: s.Model, key: key}).ask
	return made, nil
}

// dirOf returns the directory of the user's configuration, which is outside of every
// tree.
func dirOf(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Dir(name)
	}
	return ""
}

// model returns the label of a program's summaries.
func model(s settings) string {
	if s.Model != "" {
		return s.Model
	}
	return remote.Cut(filepath.Base(s.Command[0]), 80)
}

// A config is a configuration while it is read.
type config struct{ remote.Config }

// settings reads the members of "summarizer", and returns an error for invalid ones.
func (c *config) settings(section int) (settings, error) {
	var s settings
	kind := c.Doc.Member(section, "kind")
	if kind < 0 {
		return s, c.Fail(section, "add \"kind\": one of "+strings.Join(kinds(), ", "), "\"kind\" is missing")
	}
	s.Kind, _ = c.Doc.Str(kind)
	if !slices.Contains(kinds(), s.Kind) {
		return s, c.Fail(kind, "it is one of "+strings.Join(kinds(), ", "), "%s is no kind of summarizer", remote.Cut(string(c.Doc.Raw(kind)), 40))
	}
	if err := c.Members(section, s.what(), s.needed(), s.optional()); err != nil {
		return s, err
	}
	if err := c.Decode(section, &s); err != nil {
		return s, err
	}
	for i := range c.Doc.Children(section) {
		if err := cmp.Or(c.Judge(i), c.judge(i, s)); err != nil {
			return s, err
		}
	}
	return s, nil
}

func kinds() []string { return []string{Command, OpenAI, Anthropic} }

// judge returns an error if the program in a member is invalid.
func (c *config) judge(i int, s settings) error {
	switch {
	case c.Doc.Key(i) != "command":
	case len(s.Command) == 0 || strings.TrimSpace(s.Command[0]) == "":
		return c.Fail(i, "", "\"command\" names no program; it is a list: [\"program\", \"argument\"]")
	case filepath.Base(s.Command[0]) != s.Command[0] && !filepath.IsAbs(s.Command[0]):
		return c.Fail(i, "give its whole path, or a name that is found in PATH", "\"command\" names a program by a path that depends on the working directory: %q", remote.Cut(s.Command[0], 100))
	case slices.ContainsFunc(s.Command, func(arg string) bool { return strings.Contains(arg, "\x00") }):
		return c.Fail(i, "", "\"command\" holds a NUL character")
	}
	return nil
}

// address returns the URL for requests.
func (c *config) address(section int, s settings) (string, error) {
	if s.Kind == Anthropic {
		return c.Address(section, s.Server, s.what(), "https://api.anthropic.com", "/v1/messages", "/v1")
	}
	return c.Address(section, s.Server, s.what(), "https://api.openai.com/v1", "/chat/completions", "")
}
