package knobs

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// A Set is the knobs of a tree.
type Set struct {
	schema.Knobs
	Said   map[string]Place // by the knob's name: where a file says so; what is not there is a default
	Faults []Fault          // lines that were passed over: the default holds
}

// A Place is where a knob stands.
type Place struct {
	File string
	Line int // 1-based
}

// A Fault is a setting that is none, or a file that is no YAML.
type Fault struct {
	Place
	Msg string
}

// Read reads the knobs of a tree; where both folders have a file, that of
// .forgemind/ holds. What is wrong with a file is a Fault; errors are those of
// the disk.
func Read(r fs.Reader) (Set, error) { panic("not built") }
