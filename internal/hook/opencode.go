package hook

import (
	_ "embed" // the plugin
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

//go:embed opencode.js
var opencodeSource string

// pluginProgram matches the line of a plugin that names the program which it starts.
var pluginProgram = lazyregexp.New(`(?m)^const program = (".*")\r?$`)

// A plugin is the file by which opencode runs our hooks.
type plugin struct{ program program }

// starting returns the file that starts a program of that name.
func (plugin) starting(name string) *file {
	text := opencodeSource
	if value, err := jsonedit.Value(name); err == nil { // a name that is no text is none that we install
		text = strings.Replace(text, pluginProgram.FindString(text), "const program = "+string(value), 1)
	}
	return &file{text: text, begin: "//"}
}

// named returns the program that the plugin src starts, if that may be forgemind; ours otherwise.
func (p plugin) named(src []byte) string {
	if line := pluginProgram.FindSubmatch(src); line != nil {
		var name string
		if jsonedit.Decode(line[1], &name) == nil && p.program.vouched(name) {
			return name
		}
	}
	return p.program.name()
}

// put implements piece.
func (p plugin) put(src []byte) ([]byte, []string, string, error) {
	name := p.named(src)
	if own := p.program.name(); !p.program.there(name) && p.program.there(own) {
		name = own
	}
	return p.starting(name).put(src)
}

// take implements piece.
func (p plugin) take(src []byte, made []string) ([]byte, string, error) {
	return p.starting(p.named(src)).take(src, made)
}

// look implements piece.
func (p plugin) look(src []byte) (State, string) {
	name := p.named(src)
	state, detail := p.starting(name).look(src)
	if state == Installed && !p.program.there(name) {
		return Broken, notFound(name)
	}
	return state, detail
}
