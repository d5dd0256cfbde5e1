package state

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Snapshot returns the name of the file in context-history for the State at its last checkpoint,
// `<session>-<reason>-<time>.json`. Session and time come from the State, so that two copies of a
// tree write the same file.
func Snapshot(src []byte, reason string) (name string, err error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return "", err
	}
	session := stringAt(doc, "/metadata/session_id")
	if !schema.ValidID(session) {
		return "", fmt.Errorf("snapshot: metadata.session_id %q is no id", session)
	}
	at, err := schema.ParseTime(stringAt(doc, "/metadata/timestamp"))
	if err != nil {
		return "", fmt.Errorf("snapshot: metadata.timestamp: %w", err)
	}
	return fmt.Sprintf("%s/%s-%s-%s.json", fs.History, session, fileWord(reason), at.UTC().Format(stamp)), nil
}

// fileWord returns a reason as part of a file name. A reason can be the name of a trigger, which
// may be any text.
func fileWord(reason string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("/\\:*?\"<>|", r) || r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, reason[:min(len(reason), 60)])
}

// The words in the reasons that name a layer.
const (
	enteredWord = "layer"
	leftWord    = "left"
)

// LayerReason returns the reason of the snapshot that is taken when a layer is entered.
func LayerReason(layer int) string { return fmt.Sprintf("%s-%d", enteredWord, layer) }

// LeftReason returns the reason of the snapshot that keeps the State from before a layer was left.
// Its time is that of the checkpoint before.
func LeftReason(layer int) string { return fmt.Sprintf("%s-%d", leftWord, layer) }

// HasEnteredLayer reports whether the State entered its current layer at a checkpoint. That is so if the
// last transition in the history up to the State's time is into that layer. Without a transition in
// the history, a State at layer 0 without a checkpoint since its session began counts as entered.
// So Entered recognizes a transition that arrives by `git pull` together with its effects.
func HasEnteredLayer(r fs.Reader, src []byte) bool {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return false
	}
	layer, ok := figure(doc, "/project/current_layer")
	if !ok {
		return false
	}
	name, err := Snapshot(src, "")
	if err != nil {
		return false
	}
	_, now, _ := transition(name)
	into, last := -1, ""
	for name, err := range r.Names(fs.History) {
		if err != nil {
			return false
		}
		if n, at, ok := transition(name); ok && at <= now && at > last {
			into, last = n, at
		}
	}
	if last == "" {
		return layer == 0 && stringAt(doc, "/metadata/timestamp") == stringAt(doc, "/metadata/session_start")
	}
	return into == int(layer)
}

// transition parses the name of a snapshot. It returns the layer that was entered and the time in a
// form that sorts. It reports false if the snapshot is not about a transition.
func transition(name string) (layer int, at string, ok bool) {
	rest := strings.TrimSuffix(name, ".json")
	i := strings.LastIndexByte(rest, '-')
	if i < 0 {
		return 0, rest, false
	}
	word, layer, ok := passage(rest[:i])
	return layer, rest[i+1:], ok && word == enteredWord
}

// passage parses the reason at the end of a snapshot's name without its time. It reports false if
// that does not name a layer that was entered or left.
func passage(s string) (word string, layer int, ok bool) {
	i := strings.LastIndexByte(s, '-')
	if i < 0 {
		return "", 0, false
	}
	j := strings.LastIndexByte(s[:i], '-')
	layer, err := strconv.Atoi(s[i+1:])
	word = s[j+1 : i]
	return word, layer, err == nil && j >= 0 && (word == enteredWord || word == leftWord)
}

// Kept reports whether a snapshot has exactly these bytes.
func Kept(r fs.Reader, src []byte) (bool, error) {
	name, err := Snapshot(src, "")
	if err != nil {
		return false, err
	}
	time := name[strings.LastIndexByte(name, '-'):]
	for name, err := range r.Names(fs.History) {
		if err != nil {
			return false, err
		}
		if !strings.HasSuffix(name, time) {
			continue
		}
		if held, err := r.Read(name); err == nil && bytes.Equal(held, src) {
			return true, nil
		}
	}
	return false, nil
}

// ErrNoState means that a tree has no current-context.json.
var ErrNoState = errors.New("this tree has no " + fs.State)
