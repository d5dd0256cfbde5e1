package hook

import (
	"path/filepath"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A program is what the entries of an installation call forgemind.
//
// That is "forgemind", to be found on the PATH: settings are shared between
// machines, agents ask for trust in the very text of a hook, and a new release must
// not need a new consent. Where the PATH has no forgemind, settings that are not
// shared name the program that installs them.
type program struct {
	path  string            // absolute, with slashes; "" for the one on the PATH
	finds func(string) bool // whether a program is there; nil: all are

	shared  bool   // the settings come with the project
	project string // the project directory; "" where there is none
}

// plainPath is a path that means the same to every shell in double quotes.
var plainPath = lazyregexp.New("^[^\"$%!`\\\\\\x00-\\x1f\\x7f]*/forgemind(?:\\.exe)?$")

// programFor is the program for the settings of a scope.
func programFor(w World, scope Scope) program {
	prog := program{
		finds:  func(name string) bool { _, err := w.LookPath(name); return err == nil },
		shared: scope == Project, project: w.Project,
	}
	own := filepath.ToSlash(w.Program)
	if scope != Project && !prog.finds("forgemind") && plainPath.MatchString(own) && prog.finds(own) {
		prog.path = own
	}
	return prog
}

// vouched says whether a program that an entry names may be forgemind: the one on
// the PATH or, in settings that nobody shares, one at a path outside of the project.
// Any other is a stranger's, whatever it is called.
func (p program) vouched(name string) bool {
	if name == "forgemind" {
		return true
	}
	at := filepath.FromSlash(name)
	if p.shared || !filepath.IsAbs(at) {
		return false
	}
	rel, err := filepath.Rel(p.project, at)
	return p.project == "" || err != nil || !filepath.IsLocal(rel)
}

// there says whether a program that an entry names can be run.
func (p program) there(name string) bool { return p.finds == nil || p.finds(name) }

// name is what starts the program without a shell.
func (p program) name() string {
	if p.path == "" {
		return "forgemind"
	}
	return p.path
}

var needsQuotes = lazyregexp.New(`[^A-Za-z0-9_./:@+,-]`)

// shell is what starts it in a shell.
func (p program) shell() string {
	if name := p.name(); !needsQuotes.MatchString(name) {
		return name
	}
	return `"` + p.name() + `"`
}

// powershell returns a command for that shell, in which a quoted word alone is a text.
func powershell(command string) string {
	line := bare(command)
	program := line[:max(0, strings.LastIndex(line, " hook run "))]
	if strings.HasPrefix(line, `"`) {
		line = "& " + line
	}
	if line != command {
		line = "if (Get-Command " + program + " -ErrorAction Ignore) { " + line + " }"
	}
	return line
}

// How any version of ours is called, by whoever installed it: in a shell, and
// without one.
const (
	anyShell   = `(forgemind|"[^"]*/forgemind(?:\.exe)?"|[^\s"]*/forgemind(?:\.exe)?)`
	anyProgram = `((?:[^"\\\n]*/)?forgemind(?:\.exe)?)`
)
