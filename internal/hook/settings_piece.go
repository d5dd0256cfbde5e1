package hook

import (
	"errors"
	"slices"
	"strconv"
)

// A State describes how much of a piece is in a file.
type State string

// The states.
const (
	Absent    State = "not installed"
	Partly    State = "partly"
	Other     State = "other version" // ours, but from another version
	Installed State = "installed"
	Broken    State = "broken"  // ours, but the program does not exist
	Edited    State = "edited"  // ours, but edited
	Foreign   State = "foreign" // something else is in its place
	Damaged   State = "damaged" // our marks do not match
	Unread    State = "unread"  // the file cannot be read
)

// A piece is our part of one file of an agent. Its methods are pure except that they check whether
// a program exists. The argument src is nil if there is no file.
type piece interface {
	// put adds what is missing and returns src itself if that is nothing. The result note is a
	// message for people; made has the pointers of the created containers.
	put(src []byte) (out []byte, made []string, note string, err error)
	// take removes what put added, and the containers in made that are empty then, or all empty
	// ones if made is nil. It returns nil if nothing is left.
	take(src []byte, made []string) (out []byte, note string, err error)
	// look returns the state of the piece in src.
	look(src []byte) (State, string)
}

// mine reports whether put created the container at pointer. If made is nil, it returns true.
func mine(made []string, pointer string) bool {
	return made == nil || slices.Contains(made, pointer)
}

// position returns the place of f for the beginning of a message.
func (f *FileError) position() string {
	return "line " + strconv.Itoa(f.Line) + ", column " + strconv.Itoa(f.Column) + ": "
}

// unread returns the state of a file that cannot be read because of err.
func unread(err error) (State, string) {
	var fault *FileError
	if errors.As(err, &fault) {
		return Unread, fault.position() + fault.Msg
	}
	return Unread, err.Error()
}
