package hook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	iofs "io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// wants returns what the user has to allow an agent before it runs the hooks p that stand in
// the file e, with src in it, for a scope; "" for nothing. The agent's own files say so, which
// are only read; where one cannot be read, it is nothing.
func (a Agent) wants(w World, scope Scope, p piece, e *Edit, src []byte) string {
	home := a.home(w)
	if home == "" {
		return ""
	}
	own := ownFiles{home}
	const folder = " runs the hooks of a project once you trust its folder: start it here, and say so"
	if a.ID == "codex" {
		config, ok := own.codex()
		switch {
		case !ok:
			return ""
		case scope == Project && !config.trusts(w.Project):
			return a.Name + folder + "; then say /hooks, and look at them"
		}
		return config.wantsHooks(p.(*hooks), []string{e.File, e.real}, src)
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

// read returns the file of a name, which is empty where there is none, and reports whether it
// can be read.
func (o ownFiles) read(name string) (src []byte, ok bool) {
	out, err := fs.OpenOutside(o.home)
	if err == nil {
		defer out.Close()
		src, err = out.Read(name)
	}
	return src, err == nil || errors.Is(err, iofs.ErrNotExist)
}

// settings returns the JSON file of a name, which may have comments.
func (o ownFiles) settings(name string) (*settings, bool) {
	src, ok := o.read(name)
	if !ok {
		return nil, false
	}
	s, err := readSettings(src)
	return s, err == nil
}

// copilotTrusts reports whether the Copilot CLI trusts a folder, or a folder above it.
func (o ownFiles) copilotTrusts(dir string) bool {
	s, ok := o.settings("config.json")
	if !ok {
		return true
	}
	for _, name := range []string{"/trustedFolders", "/trusted_folders"} {
		list := s.doc.Find(name)
		if list < 0 || s.doc.Nodes[list].Kind != jsonedit.Array {
			continue
		}
		for i := range s.doc.Children(list) {
			if at, _ := s.doc.Str(i); within(dir, at) {
				return true
			}
		}
	}
	return false
}

// geminiTrusts reports whether the Gemini CLI trusts a folder: where it is not told to trust
// all, by the rule for the nearest folder above it.
func (o ownFiles) geminiTrusts(dir string) bool {
	user, ok := o.settings("settings.json")
	if !ok {
		return true
	}
	if i := user.doc.Find("/security/folderTrust/enabled"); i >= 0 && user.doc.Nodes[i].Kind == jsonedit.False {
		return true
	}
	rules, ok := o.settings("trustedFolders.json")
	if !ok {
		return true
	}
	trusted, nearest := false, 0
	for i := range rules.doc.Children(0) {
		at := rules.doc.Key(i)
		word, _ := rules.doc.Str(i)
		if word == "TRUST_PARENT" {
			at = filepath.Dir(at)
		}
		if n := len(fs.Unlinked(at)); within(dir, at) && n > nearest {
			trusted, nearest = word != "DO_NOT_TRUST", n
		}
	}
	return trusted
}

// within reports whether dir is another directory, or below it.
func within(dir, other string) bool {
	if !filepath.IsAbs(other) {
		return false
	}
	rel, err := filepath.Rel(fs.Unlinked(other), fs.Unlinked(dir))
	return err == nil && filepath.IsLocal(rel)
}

// A codexConfig holds what Codex notes in its config.toml of what it was allowed.
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

func (o ownFiles) codex() (c codexConfig, ok bool) {
	src, ok := o.read("config.toml")
	err := toml.Unmarshal(bytes.TrimPrefix(src, []byte(byteOrderMark)), &c)
	return c, ok && err == nil
}

// trusts reports whether Codex trusts a folder: by an entry for it, or else for the root of
// its repository. Of a linked worktree, which may be trusted by another folder, it is true.
func (c codexConfig) trusts(dir string) bool {
	dir = fs.Unlinked(dir)
	levels := map[string]string{}
	for at, project := range c.Projects {
		levels[fs.Unlinked(at)] = project.Trust
	}
	if level, ok := levels[dir]; ok {
		return level == "trusted"
	}
	for at := dir; ; at = filepath.Dir(at) {
		out, err := fs.OpenOutside(at)
		if err != nil {
			return true
		}
		git, err := out.Has(".git")
		main, _ := out.Has(".git/HEAD") // else it is a file that names another folder
		out.Close()
		switch {
		case err != nil || git && !main:
			return true
		case git:
			return levels[at] == "trusted"
		case at == filepath.Dir(at):
			return false
		}
	}
}

// wantsHooks returns what is to be said of the hooks in src that Codex does not run: those that
// nobody trusts, or that changed since, or that are switched off.
func (c codexConfig) wantsHooks(h *hooks, files []string, src []byte) string {
	s, err := readSettings(src)
	if err != nil {
		return ""
	}
	here := h.ours(s)
	waiting := 0
	for _, f := range here {
		hash := codexHash(s, f)
		if !slices.ContainsFunc(files, func(file string) bool {
			state, ok := c.Hooks.State[fmt.Sprintf("%s:%s:%d:%d", file, snake(f.list), s.index(f.group), s.index(f.node))]
			return ok && (state.Enabled == nil || *state.Enabled) && (hash == "" || state.Hash == hash)
		}) {
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
