package state

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Snapshot names the file in context-history that holds the State as it was at
// its last checkpoint: `<session>-<reason>-<time>.json`. Session and time are
// the State's own, so that two copies of a tree write the same file.
func Snapshot(src []byte, reason string) (name string, err error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return "", err
	}
	session := text(doc, "/metadata/session_id")
	if !schema.ValidID(session) {
		return "", fmt.Errorf("snapshot: metadata.session_id %q is no id", session)
	}
	at, err := schema.ParseTime(text(doc, "/metadata/timestamp"))
	if err != nil {
		return "", fmt.Errorf("snapshot: metadata.timestamp: %w", err)
	}
	stamp := at.UTC().Format("20060102T150405.000Z")
	return fmt.Sprintf("%s/%s-%s-%s.json", fs.History, session, reason, stamp), nil
}

// LayerReason is the reason of the snapshot taken when a layer is entered.
func LayerReason(layer int) string { return fmt.Sprintf("layer-%d", layer) }

// Entered says whether the State's current layer was entered at its last
// checkpoint: the snapshot of that transition is there. A transition that
// arrives by `git pull` together with its effects is recognised by it.
func Entered(r fs.Reader, src []byte) bool {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return false
	}
	layer, ok := figure(doc, "/project/current_layer")
	if !ok {
		return false
	}
	name, err := Snapshot(src, LayerReason(int(layer)))
	if err != nil {
		return false
	}
	_, err = r.Read(name)
	return err == nil
}

// Kept says whether a snapshot holds exactly these bytes, so that another
// would say nothing new.
func Kept(r fs.Reader, src []byte) (bool, error) {
	name, err := Snapshot(src, "")
	if err != nil {
		return false, err
	}
	stamp := name[strings.LastIndexByte(name, '-'):]
	for name, err := range r.Names(fs.History) {
		if err != nil {
			return false, err
		}
		if !strings.HasSuffix(name, stamp) {
			continue
		}
		if held, err := r.Read(name); err == nil && bytes.Equal(held, src) {
			return true, nil
		}
	}
	return false, nil
}

// ErrNoState is returned where a tree has no current-context.json.
var ErrNoState = errors.New("this tree has no " + fs.State)
