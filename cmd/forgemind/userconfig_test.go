package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// configured returns a program of a user whose configuration is text.
func configured(t *testing.T, text string) (p *program, file string) {
	t.Helper()
	home := t.TempDir()
	file = filepath.Join(home, ".config", "forgemind", "config.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p = started(testProgram(t))
	p.Getenv = func(name string) string { return map[string]string{"HOME": home}[name] }
	return p, file
}

const echoes = `{"summarizer": {"kind": "command", "command": ["cat"]}}`

func TestTheUsersConfigurationIsFound(t *testing.T) {
	t.Parallel()
	p, file := configured(t, echoes)
	if s, err := p.summarizer(); s == nil || err != nil {
		t.Errorf("in ~/.config: %v", err)
	}
	elsewhere := t.TempDir()
	home := p.Getenv("HOME")
	environment := func(vars map[string]string) {
		p.Getenv = func(name string) string { return vars[name] }
	}
	environment(map[string]string{"HOME": home, "XDG_CONFIG_HOME": elsewhere})
	if s, err := p.summarizer(); s != nil || err != nil {
		t.Errorf("XDG_CONFIG_HOME holds none: %v, %v", s, err)
	}
	// Many keep their configuration elsewhere, and link to it.
	if err := os.Symlink(filepath.Dir(file), filepath.Join(elsewhere, "forgemind")); err != nil {
		t.Skip(err)
	}
	if s, err := p.summarizer(); s == nil || err != nil {
		t.Errorf("behind a link: %v", err)
	}
	linked := t.TempDir()
	if err := os.Mkdir(filepath.Join(linked, "forgemind"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, filepath.Join(linked, "forgemind", "config.json")); err != nil {
		t.Fatal(err)
	}
	environment(map[string]string{"XDG_CONFIG_HOME": linked})
	if s, err := p.summarizer(); s == nil || err != nil {
		t.Errorf("a link itself: %v", err)
	}
	for what, vars := range map[string]map[string]string{
		"no home":                 {},
		"a service's home":        {"HOME": os.DevNull},
		"a relative one":          {"XDG_CONFIG_HOME": ".config"},
		"a home without anything": {"HOME": elsewhere},
	} {
		environment(vars)
		if s, err := p.summarizer(); s != nil || err != nil {
			t.Errorf("%s: %v, %v", what, s, err)
		}
	}
}

// A file that cannot be followed is told of with what to do.
func TestAConfigurationThatCannotBeFollowed(t *testing.T) {
	t.Parallel()
	p, file := configured(t, "{\n\"summarizer\": {\"kind\": \"robot\"}}")
	_, err := p.summarizer()
	p.report(err)
	told := p.Stderr.(interface{ String() string }).String()
	want := "forgemind: error: " + file + ":2: \"robot\" is no kind of summarizer\nforgemind: hint: it is one of command, openai, anthropic\n"
	if told != want {
		t.Errorf("told\n%s\nwant\n%s", told, want)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := p.summarizer(); err == nil || !strings.Contains(err.Error(), file+": a directory") {
		t.Errorf("%v", err)
	}
}
