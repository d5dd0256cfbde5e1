package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxMessage is how much of a commit's message is kept, in bytes.
const maxMessage = 4 << 10

// A Span says which commits History reads.
type Span struct {
	To    string    // from here back: a revision, "" is HEAD
	Not   string    // leave out what this revision reaches; "" leaves out nothing
	After time.Time // leave out commits made before; zero leaves out none
	Most  int       // at most so many, the newest
}

// A Commit is one commit and what it did to which names.
type Commit struct {
	ID      string
	At      time.Time // when it was committed, UTC
	Message string    // valid UTF-8, cut when long; a stranger's text
	Touched []Touch
}

// A Touch is what a commit did to one name.
type Touch struct {
	Name string // a slash path relative to root
	Gone bool   // the commit removed it
	// Other is the other name of a file that was renamed and not changed: the new
	// one where Gone, else the old one. "" for what was not renamed.
	Other string
}

// History returns commits of a span, children before their parents, with the
// names below root that each touched; a rename touches both names, and a merge
// touches what its commits did. Before the first commit there are none. Errors are ErrNoRepository,
// ErrNotInstalled, ErrUnknown for what begins like an option, and what git says.
func History(ctx context.Context, root string, span Span) ([]Commit, error) {
	to := span.To
	if to == "" {
		to = "HEAD"
	}
	args := []string{"-c", "log.showSignature=false", "-c", "log.showRoot=true", "--literal-pathspecs", "log", "--no-show-signature", "--no-decorate",
		"--no-color", "--encoding=UTF-8", "--topo-order", "--relative", "--find-renames=100%", "--no-ext-diff", "--ignore-submodules=all",
		fmt.Sprintf("--max-count=%d", max(0, span.Most)), "-z", "--name-status", "--format=%H %ct%n%B"}
	if !span.After.IsZero() {
		args = append(args, "--since="+strconv.FormatInt(span.After.Unix(), 10))
	}
	for _, rev := range []string{to, span.Not} {
		if rev == "" {
			continue
		}
		if err := admit(rev); err != nil {
			return nil, err
		}
	}
	args = append(args, to)
	if span.Not != "" {
		args = append(args, "--not", span.Not)
	}
	var read historian
	if err := stream(ctx, root, &read, append(args, "--")...); err != nil {
		if span.To == "" && unborn(ctx, root) {
			return nil, nil
		}
		return nil, err
	}
	return read.all, read.err
}

// unborn says whether the repository of root has no commit to begin from.
func unborn(ctx context.Context, root string) bool {
	_, err := Log(ctx, root, ".", 1)
	_, verify := run(ctx, root, nil, "rev-parse", "--quiet", "--verify", "HEAD")
	return err == nil && verify != nil
}

// stream runs a git command that says all that it has to say to out.
func stream(ctx context.Context, dir string, out io.Writer, args ...string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errSilent)
	defer cancel()
	cmd, complaints := command(ctx, dir, args...)
	cmd.Stdout = out
	if err := cmd.Run(); err != nil {
		return explain(ctx, err, dir, "log", complaints)
	}
	return nil
}

// A historian reads what git log says, as it comes: a heading for each commit, and
// behind it a status and a name, or two where it was renamed, all ended by NUL.
// Nothing long is kept of it.
type historian struct {
	all   []Commit
	err   error
	field []byte // what came of the field under way, cut
	names int    // that the last status is still to be followed by
	moved bool   // they are the names of a rename
	gone  bool
}

// maxField is how much of a field is kept, in bytes: a heading is cut to
// maxMessage, and no name is as long.
const maxField = 16 << 10

func (h *historian) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte{0})
		h.field = append(h.field, part[:min(len(part), maxField-len(h.field))]...)
		if rest = after; ended {
			h.take(string(h.field))
			h.field = h.field[:0]
		}
	}
	if h.err != nil {
		return 0, h.err
	}
	return len(p), nil
}

// take takes one whole field.
func (h *historian) take(field string) {
	if h.err != nil {
		return
	}
	if h.names > 0 {
		h.touch(field)
		return
	}
	status := strings.TrimPrefix(field, "\n")
	switch {
	case len(h.all) > 0 && len(status) == 1:
		h.names, h.moved, h.gone = 1, false, status[0] == 'D'
	case len(h.all) > 0 && len(status) == 4 && status[0] == 'R':
		h.names, h.moved, h.gone = 2, true, true
	default:
		var c Commit
		if c, h.err = heading(field); h.err == nil {
			h.all = append(h.all, c)
		}
	}
}

// touch takes a name.
func (h *historian) touch(name string) {
	c := &h.all[len(h.all)-1]
	t := Touch{Name: name, Gone: h.gone}
	if h.names--; h.moved && h.names == 0 { // the new name; the old one came before it
		old := &c.Touched[len(c.Touched)-1]
		old.Other, t.Other = name, old.Name
	}
	c.Touched = append(c.Touched, t)
	h.gone = false
}

func heading(text string) (Commit, error) {
	first, message, _ := strings.Cut(text, "\n")
	id, seconds, ok := strings.Cut(first, " ")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if !ok || err != nil || len(id) < 40 {
		return Commit{}, errors.New("git log: unexpected answer " + echo(first))
	}
	message = strings.ToValidUTF8(message, "\uFFFD")
	if len(message) > maxMessage {
		cut := maxMessage
		for cut > 0 && !utf8.RuneStart(message[cut]) {
			cut--
		}
		message = message[:cut]
	}
	return Commit{ID: id, At: time.Unix(at, 0).UTC(), Message: strings.TrimSpace(message)}, nil
}

// Tracked returns the names in the directories dirs below root, all where there are none,
// that git's index holds, sorted by git. Errors are ErrNoRepository, ErrNotInstalled and what
// git says.
func Tracked(ctx context.Context, root string, dirs ...string) ([]string, error) {
	return listFiles(ctx, root, dirs, "--cached")
}
