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

// maxMessage is the number of bytes of a commit message that are kept.
const maxMessage = 4 << 10

// A Span selects the commits that History reads.
type Span struct {
	To    string    // the revision to begin with; "" is HEAD
	Not   string    // leave out what this revision reaches; "" leaves out nothing
	After time.Time // leave out earlier commits; zero leaves out none
	Most  int       // the maximum number of commits, newest first
}

// A Commit is one commit and the names that it changed.
type Commit struct {
	ID      string
	At      time.Time // the time of the commit, UTC
	Message string    // valid UTF-8, cut if long; untrusted text
	Touched []NameChange
}

// A NameChange is the change of one name by a commit.
type NameChange struct {
	Name string // a slash path relative to root
	Gone bool   // the commit removed it
	// Other is the other name of a file that was renamed without change: the new name
	// if Gone is set, else the old one. It is "" if the file was not renamed.
	Other string
}

// History returns the commits of a span, children before their parents, with the names
// below root that each changed. A rename touches both names; a merge touches the names
// that its commits changed. Before the first commit the list is empty. Errors are
// ErrNoRepository, ErrNotInstalled, ErrUnknown for a revision that begins like an
// option, and those of git.
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
	var read logParser
	if err := stream(ctx, root, &read, append(args, "--")...); err != nil {
		if span.To == "" && hasNoCommit(ctx, root) {
			return nil, nil
		}
		return nil, err
	}
	return read.all, read.err
}

// hasNoCommit reports whether the repository of root has no commit yet.
func hasNoCommit(ctx context.Context, root string) bool {
	_, err := Log(ctx, root, ".", 1)
	_, verify := run(ctx, root, nil, "rev-parse", "--quiet", "--verify", "HEAD")
	return err == nil && verify != nil
}

// stream runs a git command and writes its output to out.
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

// A logParser parses the output of git log while it arrives: for each commit a heading,
// then pairs of status and name, with two names for a rename, each field ended by NUL.
// Long fields are cut.
type logParser struct {
	all   []Commit
	err   error
	field []byte // the current field so far, cut
	names int    // the number of names that still follow the last status
	moved bool   // the names belong to a rename
	gone  bool
}

// maxField is the number of bytes of a field that are kept: a heading is cut to
// maxMessage, and no name is that long.
const maxField = 16 << 10

func (h *logParser) Write(p []byte) (int, error) {
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

// take handles one complete field.
func (h *logParser) take(field string) {
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

// touch handles a name.
func (h *logParser) touch(name string) {
	c := &h.all[len(h.all)-1]
	t := NameChange{Name: name, Gone: h.gone}
	if h.names--; h.moved && h.names == 0 { // the new name; the old one precedes it
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

// Tracked returns the names below root in git's index, in git's order. Errors are
// ErrNoRepository, ErrNotInstalled and those of git.
func Tracked(ctx context.Context, root string) ([]string, error) {
	return listFiles(ctx, root, nil, "--cached")
}
