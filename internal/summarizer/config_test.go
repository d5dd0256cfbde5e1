package summarizer

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/remote"
)

func noEnv(string) string { return "" }

// The error of an invalid configuration contains the place, the reason and what to do.
func TestConfigurationsThatCannotBeFollowed(t *testing.T) {
	for _, c := range []struct {
		what, src string
		line      int
		says      string
		hint      string
	}{
		{"no JSON", "{\n  \"summarizer\": {\n    kind: openai\n", 3, "", "the file is to be JSON"},
		{"empty", "", 1, "", "the file is to be JSON"},
		{"a list", "[]", 1, "an array, not an object", ""},
		{"a misspelt section", "{\n  \"summariser\": {}\n}", 2, `"summariser" is nothing`, `"summarizer"`},
		{"twice", `{"summarizer": {"kind": "command", "kind": "openai"}}`, 1, `"kind" appears twice`, ""},
		{"no section", `{"summarizer": true}`, 1, "a boolean, not an object", ""},
		{"no kind", `{"summarizer": {}}`, 1, `"kind" is missing`, "command, openai, anthropic"},
		{"another kind", "{\"summarizer\": {\n\"kind\": \"claude\"}}", 2, `"claude" is no kind`, "command, openai, anthropic"},
		{"a kind that is no text", `{"summarizer": {"kind": 7}}`, 1, `7 is no kind`, ""},
		{"a misspelt member", "{\"summarizer\": {\"kind\": \"openai\", \"model\": \"m\",\n\"base_url\": \"x\"}}", 2, `kind openai has no "base_url"`, "url"},
		{"a member of another kind", `{"summarizer": {"kind": "command", "command": ["x"], "url": "https://x"}}`, 1, `kind command has no "url"`, ""},
		{"a key in the file", `{"summarizer": {"kind": "openai", "model": "m", "api_key": "sk-secret"}}`, 1, "an API key must not be in a file", "api_key_env"},
		{"no command", `{"summarizer": {"kind": "command"}}`, 1, `kind command needs "command"`, ""},
		{"a shell's command", `{"summarizer": {"kind": "command", "command": "sum -x"}}`, 1, "command", ""},
		{"an empty command", `{"summarizer": {"kind": "command", "command": []}}`, 1, "names no program", ""},
		{"a program of the working directory", `{"summarizer": {"kind": "command", "command": ["./sum"]}}`, 1, "depends on the working directory", "whole path"},
		{"a NUL", `{"summarizer": {"kind": "command", "command": ["x", "a\u0000"]}}`, 1, "NUL", ""},
		{"no model", `{"summarizer": {"kind": "openai", "api_key_env": "K"}}`, 1, `kind openai needs "model"`, ""},
		{"a model to obey", `{"summarizer": {"kind": "openai", "model": "\u001b[2J", "api_key_env": "K"}}`, 1, `"model" is no name`, ""},
		{"no key", `{"summarizer": {"kind": "anthropic", "model": "m"}}`, 1, `needs "api_key_env"`, "environment variable"},
		{"a key for a name", `{"summarizer": {"kind": "openai", "model": "m", "api_key_env": "sk-secret-1"}}`, 1, "the name of an environment variable", "must not be in a file"},
		{"http to others", "{\"summarizer\": {\"kind\": \"openai\", \"model\": \"m\",\n\"url\": \"http://example.org/v1\"}}", 2, "unencrypted", "allow_http"},
		{"http to somebody like us", `{"summarizer": {"kind": "openai", "model": "m", "url": "http://localhost.example.org/v1"}}`, 1, "unencrypted", "allow_http"},
		{"no address", `{"summarizer": {"kind": "openai", "model": "m", "url": "localhost:11434"}}`, 1, "no address", "https://api.openai.com/v1"},
		{"a file", `{"summarizer": {"kind": "openai", "model": "m", "url": "file:///etc/passwd"}}`, 1, "no address", ""},
		{"a password in the address", `{"summarizer": {"kind": "openai", "model": "m", "url": "https://me:sk-secret@x/v1"}}`, 1, "no user, no password", "api_key_env"},
		{"a key in the address", `{"summarizer": {"kind": "openai", "model": "m", "url": "https://x/v1?key=sk-secret"}}`, 1, "no ?", "api_key_env"},
		{"no time", `{"summarizer": {"kind": "command", "command": ["x"], "timeout_seconds": 0}}`, 1, "timeout_seconds", ""},
		{"too much time", `{"summarizer": {"kind": "command", "command": ["x"], "timeout_seconds": 1e9}}`, 1, "at most 600", ""},
		{"time in words", `{"summarizer": {"kind": "command", "command": ["x"], "timeout_seconds": "30"}}`, 1, "timeout_seconds", ""},
		{"null", `{"summarizer": {"kind": "openai", "model": "m", "url": null, "api_key_env": "K"}}`, 1, `"url" is null`, ""},
	} {
		s, err := Read("/home/me/.config/forgemind/config.json", []byte(c.src), noEnv)
		var where *ConfigError
		if s != nil || !errors.As(err, &where) {
			t.Errorf("%s: %v, %v", c.what, s, err)
			continue
		}
		if where.Line != c.line || !strings.Contains(where.Msg, c.says) || !strings.Contains(where.Hint, c.hint) {
			t.Errorf("%s: line %d: %s (%s)\nwant line %d: %s (%s)", c.what, where.Line, where.Msg, where.Hint, c.line, c.says, c.hint)
		}
		told := err.Error() + where.Hint
		if !strings.HasPrefix(told, fmt.Sprintf("/home/me/.config/forgemind/config.json:%d: ", c.line)) || strings.ContainsAny(told, "\x1b\n") || strings.Contains(told, "secret") {
			t.Errorf("%s: told as %q", c.what, told)
		}
	}
}

func TestConfigurationsThatNameNone(t *testing.T) {
	for _, src := range []string{"{}", " { } \n"} {
		if s, err := Read("config.json", []byte(src), noEnv); s != nil || err != nil {
			t.Errorf("%q: %v, %v", src, s, err)
		}
	}
}

// The URL of requests for every notation of the address.
func TestAddresses(t *testing.T) {
	for _, c := range []struct{ kind, more, want string }{
		{OpenAI, `"api_key_env": "K"`, "https://api.openai.com/v1/chat/completions"},
		{OpenAI, `"url": "http://localhost:11434/v1"`, "http://localhost:11434/v1/chat/completions"},
		{OpenAI, `"url": "http://127.0.0.1:8080/v1/"`, "http://127.0.0.1:8080/v1/chat/completions"},
		{OpenAI, `"url": "http://[::1]:8080/v1"`, "http://[::1]:8080/v1/chat/completions"},
		{OpenAI, `"url": "https://x.org/v1/chat/completions"`, "https://x.org/v1/chat/completions"},
		{OpenAI, `"url": "http://models.lan/v1", "allow_http": true`, "http://models.lan/v1/chat/completions"},
		{Anthropic, `"api_key_env": "K"`, "https://api.anthropic.com/v1/messages"},
		{Anthropic, `"url": "https://x.org"`, "https://x.org/v1/messages"},
		{Anthropic, `"url": "https://x.org/v1"`, "https://x.org/v1/messages"},
		{Anthropic, `"url": "https://x.org/claude/v1/messages"`, "https://x.org/claude/v1/messages"},
	} {
		src := fmt.Sprintf(`{"summarizer": {"kind": %q, "model": "m", %s}}`, c.kind, c.more)
		cfg := config{remote.Config{Name: "x", Src: []byte(src)}}
		section, err := cfg.Section(remote.Summarizer)
		if err != nil {
			t.Fatal(err)
		}
		s, err := cfg.settings(section)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := cfg.address(section, s); got != c.want || err != nil {
			t.Errorf("%s: %s, %v; want %s", src, got, err, c.want)
		}
	}
}

// FuzzRead tests that any file is accepted or refused.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"summarizer": {"kind": "command", "command": ["x", "{instruction}"], "timeout_seconds": 5, "model": "m"}}`))
	f.Add([]byte(`{"summarizer": {"kind": "openai", "model": "m", "url": "http://localhost:1/v1", "api_key_env": "K", "allow_http": true}}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		var where *ConfigError
		if _, err := Read("x", src, noEnv); err != nil && (!errors.As(err, &where) || where.Line < 1) {
			t.Fatalf("%v", err)
		}
	})
}
