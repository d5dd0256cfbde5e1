package hook

import (
	"path/filepath"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A program is the name or path by which the entries of an installation start forgemind.
//
// It is "forgemind" on the PATH, because settings are shared between machines, agents ask for trust
// in the exact text of a hook, and a new release must not need a new consent. If forgemind is not
// on the PATH, settings that are not shared name the path of the program that installs them.
type program struct {
	path  string            // absolute with slashes; "" for the one on the PATH
	finds func(string) bool // reports whether a program exists; nil means that all do

	shared  bool   // the settings are part of the project
	project string // project directory; "" for none
}

// plainPath matches a path that every shell reads unchanged in double quotes.
var plainPath = lazyregexp.New("^[^\"'$%!`\\\\\\x00-\\x1f\\x7f]*/forgemind(?:\\.exe)?$")

// programFor returns the program for the settings of a scope.
func programFor(w Machine, scope Scope) program {
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

// isForgemind reports whether the program of an entry may be forgemind: the one on the PATH or, in
// settings that are not shared, one outside the project. Any other may be a stranger's, whatever its
// name.
func (p program) isForgemind(name string) bool {
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

// there reports whether the program of an entry exists.
func (p program) there(name string) bool { return p.finds == nil || p.finds(name) }

// name returns the program for starting it without a shell.
func (p program) name() string {
	if p.path == "" {
		return "forgemind"
	}
	return p.path
}

var needsQuotes = lazyregexp.New(`[^A-Za-z0-9_./:@+,-]`)

// shell returns the program as a word of a shell.
func (p program) shell() string {
	if name := p.name(); !needsQuotes.MatchString(name) {
		return name
	}
	return `"` + p.name() + `"`
}

// powershell returns a command line for PowerShell, in which a quoted word alone is a string.
func powershell(line string) string {
	if strings.HasPrefix(line, `"`) {
		return "& " + line
	}
	return line
}

// Patterns for our program in any installation, in a shell and without one.
const (
	anyShell   = `(forgemind|"[^"]*/forgemind(?:\.exe)?"|[^\s"]*/forgemind(?:\.exe)?)`
	anyProgram = `((?:[^"\\\n]*/)?forgemind(?:\.exe)?)`
)
