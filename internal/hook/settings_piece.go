package hook

import (
	"errors"
	"slices"
	"strconv"
)

// A State says how much of what an agent is to have stands in a file.
type State string

// The states.
const (
	Absent    State = "not installed"
	Partly    State = "partly"
	Other     State = "other version" // ours, but not as this version writes it
	Installed State = "installed"
	Broken    State = "broken"  // ours, and the program that it starts is not found
	Edited    State = "edited"  // ours, and changed by hand since
	Foreign   State = "foreign" // something else stands in its place
	Damaged   State = "damaged" // marks of ours that make no sense
	Unread    State = "unread"  // the file cannot be read
)

// A piece is what goes into one file of an agent. It is pure, but for the question
// whether a program is there: bytes in, bytes out; src is nil where there is no
// file.
type piece interface {
	// put adds what is missing and returns src itself if nothing is. note says
	// what people should know, made are the pointers of the containers it made.
	put(src []byte) (out []byte, made []string, note string, err error)
	// take takes out what put has put in, and the containers in made that this
	// leaves empty; all of them if made is nil. It returns nil where nothing of
	// anybody is left.
	take(src []byte, made []string) (out []byte, note string, err error)
	// look says what stands there.
	look(src []byte) (State, string)
}

// mine says whether put made what stands at pointer; where that is not known, it
// did.
func mine(made []string, pointer string) bool {
	return made == nil || slices.Contains(made, pointer)
}

// position begins a message about the place of f.
func (f *Fault) position() string {
	return "line " + strconv.Itoa(f.Line) + ", column " + strconv.Itoa(f.Column) + ": "
}

// unread is the state of a file that err keeps from being read.
func unread(err error) (State, string) {
	var fault *Fault
	if errors.As(err, &fault) {
		return Unread, fault.position() + fault.Msg
	}
	return Unread, err.Error()
}
