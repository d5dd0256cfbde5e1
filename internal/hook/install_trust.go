package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// wants returns what the user has to allow an agent before it runs the hooks that stand in
// src, the text of file, for a scope; "" for nothing. The agent's own files say so, which are
// only read; where they cannot be read, it is nothing.
func (a Agent) wants(w World, scope Scope, h *hooks, file string, src []byte) string {
	home := a.home(w)
	if home == "" {
		return ""
	}
	own := ownFiles{home}
	const folder = " runs the hooks of a project once you trust its folder: start it here, and say so"
	if a.ID == "codex" {
		config := own.codex()
		if scope == Project && !config.trusts(w.Project) {
			return a.Name + folder + "; then say /hooks, and look at them"
		}
		return config.wantsHooks(h, file, src)
	}
	switch {
	case scope != Project:
	case a.ID == "copilot" && !own.copilotTrusts(w.Project):
		return "Copilot CLI" + folder
	case a.ID == "gemini" && !own.geminiTrusts(w.Project):
		return a.Name + folder
	}
	return ""
}

// An ownFiles is the folder of the files that an agent keeps at the user's home.
type ownFiles struct{ home string }

// read returns the file of a name; nil where it cannot be read.
func (o ownFiles) read(name string) []byte {
	out, err := fs.OpenOutside(o.home)
	if err != nil {
		return nil
	}
	defer out.Close()
	src, _ := out.Read(name)
	return src
}

// settings returns the JSON file of a name, which may have comments; nil where it cannot be
// read.
func (o ownFiles) settings(name string) *settings {
	s, err := readSettings(o.read(name))
	if err != nil {
		return nil
	}
	return s
}

// copilotTrusts reports whether the Copilot CLI trusts a folder.
func (o ownFiles) copilotTrusts(dir string) bool {
	if s := o.settings("config.json"); s != nil {
		for i := range s.doc.Children(s.doc.Find("/trustedFolders")) {
			if at, _ := s.doc.Str(i); within(dir, at) {
				return true
			}
		}
	}
	return false
}

// geminiTrusts reports whether the Gemini CLI trusts a folder: by itself, unless it is told
// to ask.
func (o ownFiles) geminiTrusts(dir string) bool {
	if s := o.settings("settings.json"); s != nil {
		if i := s.doc.Find("/security/folderTrust/enabled"); i >= 0 && s.doc.Nodes[i].Kind == jsonedit.False {
			return true
		}
	}
	s := o.settings("trustedFolders.json")
	if s == nil {
		return false
	}
	trusted := false
	for i := range s.doc.Children(0) {
		at := s.doc.Key(i)
		switch word, _ := s.doc.Str(i); {
		case word == "TRUST_FOLDER" && within(dir, at), word == "TRUST_PARENT" && within(dir, filepath.Dir(at)):
			trusted = true
		case word == "DO_NOT_TRUST" && at == dir:
			return false
		}
	}
	return trusted
}

// within reports whether dir is another directory, or below it.
func within(dir, other string) bool {
	if !filepath.IsAbs(other) {
		return false
	}
	rel, err := filepath.Rel(unlinked(other), unlinked(dir))
	return err == nil && filepath.IsLocal(rel)
}

// unlinked returns the path of a directory with no link in it, as far as that is known.
func unlinked(dir string) string {
	out, err := fs.OpenOutside(dir)
	if err != nil {
		return dir
	}
	defer out.Close()
	return out.Dir()
}

// A codexConfig is what Codex notes in its config.toml of what it was allowed.
type codexConfig struct {
	Projects map[string]struct {
		Trust string `toml:"trust_level"`
	} `toml:"projects"`
	Hooks struct {
		State map[string]struct {
			Hash    string `toml:"trusted_hash"`
			Enabled *bool  `toml:"enabled"`
		} `toml:"state"`
	} `toml:"hooks"`
}

func (o ownFiles) codex() (c codexConfig) {
	if toml.Unmarshal(o.read("config.toml"), &c) != nil { // Codex says so itself
		return codexConfig{}
	}
	return c
}

func (c codexConfig) trusts(dir string) bool {
	for at, project := range c.Projects {
		if project.Trust == "trusted" && within(dir, at) {
			return true
		}
	}
	return false
}

// wantsHooks returns what is to be said of the hooks in src that Codex does not run: those that
// nobody trusts, or that changed since, or that are switched off.
func (c codexConfig) wantsHooks(h *hooks, file string, src []byte) string {
	s, err := readSettings(src)
	if err != nil {
		return ""
	}
	here := h.ours(s)
	waiting := 0
	for _, f := range here {
		state, ok := c.Hooks.State[file+":"+snake(f.list)+fmt.Sprintf(":%d:%d", s.index(f.group), s.index(f.node))]
		if hash := codexHash(s, f); !ok || state.Enabled != nil && !*state.Enabled || hash != "" && state.Hash != hash {
			waiting++
		}
	}
	if waiting == 0 {
		return ""
	}
	return fmt.Sprintf("Codex runs a hook once you trust it as it is: say /hooks in Codex, and look at them (%d of %d)", waiting, len(here))
}

// index returns the place of an element in its array.
func (s *settings) index(node int) (n int) {
	for i := range s.doc.Children(int(s.doc.Nodes[node].Parent)) {
		if i == node {
			break
		}
		n++
	}
	return n
}

// codexHash returns what Codex 0.171 notes of a hook that is trusted: the hash of what it
// makes of it. It is "" for a hook with members of which that is not known.
func codexHash(s *settings, f found) string {
	if runtime.GOOS == "windows" {
		return ""
	}
	type handler struct {
		Async   bool   `json:"async"`
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
		Type    string `json:"type"`
	}
	hook := handler{Command: f.command, Type: "command"}
	for i := range s.doc.Children(f.node) {
		switch key := s.doc.Key(i); key {
		case "command", "commandWindows", "type":
		case "timeout":
			n, ok := s.doc.Float(i)
			if hook.Timeout = int(n); !ok || float64(hook.Timeout) != n || hook.Timeout < 1 || f.list == "SessionEnd" && hook.Timeout > 3 {
				return ""
			}
		default:
			return ""
		}
	}
	matcher, _ := s.doc.Str(s.doc.Member(f.group, "matcher"))
	value, err := jsonedit.Value(struct {
		Event   string    `json:"event_name"`
		Hooks   []handler `json:"hooks"`
		Matcher string    `json:"matcher,omitempty"`
	}{snake(f.list), []handler{hook}, matcher})
	if err != nil || hook.Timeout == 0 {
		return ""
	}
	sum := sha256.Sum256(value)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// snake returns the name of an event as Codex writes it in keys: session_start.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
