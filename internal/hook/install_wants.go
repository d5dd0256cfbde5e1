package hook

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// wants returns what the user still has to do in an agent before it runs our hooks, as far as the
// user's own files show. File is the file with the hooks, and count their number.
func (a Agent) wants(w Machine, scope Scope, file string, count int) []string {
	inProject := scope != User && w.Project != ""
	switch a.ID {
	case "claude":
		if inProject && !w.trustsFolder(a.claudeFile(w), "/projects", "hasTrustDialogAccepted") {
			return []string{"Claude Code asks whether you trust this folder when it starts here, and runs no hook before that (except with --print)"}
		}
	case "codex":
		return a.codexWants(w, inProject, file, count)
	case "gemini":
		settings, at := w.settingsIn(a.home(w), "settings.json"), "/security/folderTrust/enabled"
		off := settings != nil && settings.doc.Find(at) >= 0 && settings.doc.Nodes[settings.doc.Find(at)].Kind == jsonedit.False
		if inProject && !off && !w.trustsFolder(w.settingsIn(a.home(w), "trustedFolders.json"), "", "") {
			return []string{"Gemini CLI ignores the hooks and servers of an untrusted folder: enter /permissions in Gemini CLI and trust the folder"}
		}
	case "copilot":
		config := w.settingsIn(a.home(w), "config.json")
		if inProject && !w.trustsFolder(config, "/trustedFolders", "") && !w.trustsFolder(config, "/trusted_folders", "") {
			return []string{"Copilot CLI ignores the hooks and .mcp.json of an untrusted folder: start copilot here and trust the folder"}
		}
	}
	return nil
}

// codexWants returns what Codex wants. Its config.toml has a table for each folder and for each hook
// that is trusted.
func (a Agent) codexWants(w Machine, inProject bool, file string, count int) (wants []string) {
	config := string(outsideFile(a.home(w), "config.toml"))
	_, folder, found := strings.Cut(config, fmt.Sprintf("[projects.%q]", w.Project))
	if end := strings.Index(folder, "\n["); end >= 0 {
		folder = folder[:end]
	}
	if inProject && !(found && strings.Contains(folder, `"trusted"`)) {
		wants = append(wants, "Codex ignores .codex/ in an untrusted folder: start codex here and trust the folder")
	}
	if n := strings.Count(config, `[hooks.state."`+file+":"); n < count {
		wants = append(wants, fmt.Sprintf("Codex runs only trusted hooks: enter /hooks in Codex and review them (%d of %d are trusted)", n, count))
	}
	return wants
}

// claudeFile returns the file in which Claude Code records what it knows about each folder, or nil.
func (a Agent) claudeFile(w Machine) *settings {
	if dir := w.Getenv(a.variable); filepath.IsAbs(dir) {
		return w.settingsIn(dir, ".claude.json")
	}
	return w.settingsIn(w.Home, ".claude.json")
}

// settingsIn returns the settings in a file of dir, or nil if they cannot be read.
func (w Machine) settingsIn(dir, name string) *settings {
	s, err := readSettings(outsideFile(dir, name))
	if err != nil || s.empty() {
		return nil
	}
	return s
}

// outsideFile returns the content of a file of dir, or nil if it cannot be read.
func outsideFile(dir, name string) []byte {
	if dir == "" {
		return nil
	}
	out, err := fs.OpenOutside(dir)
	if err != nil {
		return nil
	}
	defer out.Close()
	src, _ := out.Read(name)
	return src
}

// trustsFolder reports whether the list or object at pointer names the project or a folder above it.
// A member of an object counts if its value begins with "TRUST_", or if its own member flag is true.
func (w Machine) trustsFolder(s *settings, pointer, flag string) bool {
	if s == nil {
		return false
	}
	at := 0
	if pointer != "" {
		at = s.doc.Find(pointer)
	}
	if at < 0 {
		return false
	}
	for i := range s.doc.Children(at) {
		dir, trusted := s.doc.Key(i), false
		value, _ := s.doc.Str(i)
		switch {
		case s.doc.Nodes[at].Kind == jsonedit.Array:
			dir, trusted = value, true
		case flag != "":
			j := s.doc.Member(i, flag)
			trusted = j >= 0 && s.doc.Nodes[j].Kind == jsonedit.True
		default:
			trusted = strings.HasPrefix(value, "TRUST_")
		}
		if rel, err := filepath.Rel(dir, w.Project); trusted && err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}
