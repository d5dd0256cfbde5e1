package state

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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
	return fmt.Sprintf("%s/%s-%s-%s.json", fs.History, session, fileWord(reason), at.UTC().Format(stamp)), nil
}

// causes is the member of a snapshot that names the decisions which it was taken for.
const causes = "/metadata/caused_by"

// WithCauses returns a State as the snapshot that is taken for decisions, if there are any.
func WithCauses(src []byte, ids []string) ([]byte, error) {
	if len(ids) == 0 {
		return src, nil
	}
	return put(src, member{causes, ids})
}

// CausedBy reports whether history holds for each of some decisions a snapshot that was taken for it
// and for a reason.
func CausedBy(r fs.Reader, reason string, ids []string) bool {
	named := map[string]bool{}
	for name, err := range r.Names(fs.History) {
		if err != nil || !strings.Contains(name, "-"+fileWord(reason)+"-") {
			continue
		}
		src, err := r.Read(name)
		if err != nil {
			continue
		}
		doc, err := jsonedit.Parse(src)
		if err != nil {
			continue
		}
		if list := doc.Find(causes); list >= 0 {
			for i := range doc.Children(list) {
				id, _ := doc.Str(i)
				named[id] = true
			}
		}
	}
	return !slices.ContainsFunc(ids, func(id string) bool { return !named[id] })
}

// fileWord is a reason as part of a file's name: a trigger's name may be any text.
func fileWord(reason string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("/\\:*?\"<>|", r) || r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, reason[:min(len(reason), 60)])
}

// The words of the reasons that name a layer.
const (
	enteredWord = "layer"
	leftWord    = "left"
)

// LayerReason is the reason of the snapshot taken when a layer is entered.
func LayerReason(layer int) string { return fmt.Sprintf("%s-%d", enteredWord, layer) }

// LeftReason is the reason of the snapshot that keeps the State as it was
// before a layer was left. Its time is that of the checkpoint before.
func LeftReason(layer int) string { return fmt.Sprintf("%s-%d", leftWord, layer) }

// Entered says whether the State came into its current layer with a checkpoint:
// the last transition that history holds, up to the State's own time, is the
// one into that layer. Where it holds none, a State at layer 0 that had no
// checkpoint since its session's start began there. A transition that arrives
// by `git pull` together with its effects is recognised by it.
func Entered(r fs.Reader, src []byte) bool {
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
		return layer == 0 && text(doc, "/metadata/timestamp") == text(doc, "/metadata/session_start")
	}
	return into == int(layer)
}

// EnteredSince reports whether history holds a snapshot of a layer that was entered at a time or
// later.
func EnteredSince(r fs.Reader, layer int, at time.Time) bool {
	since := at.UTC().Format(stamp)
	for name, err := range r.Names(fs.History) {
		if n, entered, ok := transition(name); err == nil && ok && n == layer && entered >= since {
			return true
		}
	}
	return false
}

// transition reads the name of a snapshot: its time, in a form that sorts, and
// the layer that was entered; ok is false where none was.
func transition(name string) (layer int, at string, ok bool) {
	rest := strings.TrimSuffix(name, ".json")
	i := strings.LastIndexByte(rest, '-')
	if i < 0 {
		return 0, rest, false
	}
	word, layer, ok := passage(rest[:i])
	return layer, rest[i+1:], ok && word == enteredWord
}

// passage reads the reason at the end of a snapshot's name without its time,
// where it is that of a layer entered or left.
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

// Kept says whether a snapshot holds exactly these bytes, so that another
// would say nothing new.
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

// ErrNoState is returned where a tree has no current-context.json.
var ErrNoState = errors.New("this tree has no " + fs.State)
