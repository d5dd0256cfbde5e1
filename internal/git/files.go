package git

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/text"
)

// A FileHistory is the origin of a file: the author and the time of the commit that added it, and the
// last commit that changed it.
type FileHistory struct {
	Added  time.Time // UTC
	Author string    // of the commit that added it; untrusted text on one line
	Last   string    // the id of the last commit
}

// maxHistory is the number of commits that FileHistories and Authored read.
const maxHistory = 100_000

// FileHistories returns the history of the files below paths, slash paths relative to root, by their
// present names. Renames are followed within paths. In a shallow clone, files that the oldest commits
// have are left out, because nothing is known of who added them. Errors are ErrNoRepository,
// ErrNotInstalled and those of git.
func FileHistories(ctx context.Context, root string, paths ...string) (map[string]FileHistory, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	args := []string{"-c", "log.showSignature=false", "-c", "log.showRoot=true", "--literal-pathspecs", "log", "--no-show-signature", "--no-decorate", "--no-color",
		"--encoding=UTF-8", "--topo-order", "--relative", "--find-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all",
		"--max-count=" + strconv.Itoa(maxHistory), "-z", "--name-status", "--format=%x01%H %at %P%x02%an", "--"}
	out, err := run(ctx, root, nil, append(args, paths...)...)
	if err != nil {
		if strings.Contains(err.Error(), errUnborn) {
			return nil, nil
		}
		return nil, err
	}
	shallow, err := run(ctx, root, nil, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return nil, err
	}
	return fileHistories(out, strings.TrimSpace(string(shallow)) == "true")
}

// fileHistories parses the output of git log, the newest commit first.
func fileHistories(out []byte, shallow bool) (map[string]FileHistory, error) {
	all, now := map[string]FileHistory{}, map[string]string{} // now: a former name → the present one
	var c FileHistory
	known := true
	fields := strings.Split(string(out), "\x00")
	for i := 0; i < len(fields); i++ {
		field := strings.TrimPrefix(fields[i], "\n")
		if heading, ok := strings.CutPrefix(field, "\x01"); ok {
			commit, author, _ := strings.Cut(heading, "\x02")
			parts := strings.Fields(commit)
			if len(parts) < 2 {
				return nil, errors.New("git log: unexpected answer " + echo(field))
			}
			at, err := strconv.ParseInt(parts[1], 10, 64)
			if err != nil {
				return nil, errors.New("git log: unexpected answer " + echo(field))
			}
			c = FileHistory{Added: time.Unix(at, 0).UTC(), Author: text.Limit(text.Line(author), 100), Last: parts[0]}
			known = !shallow || len(parts) > 2
			continue
		}
		if field == "" || i+1 >= len(fields) {
			continue
		}
		i++
		name := fields[i]
		if field[0] == 'R' && i+1 < len(fields) {
			i++
			present := nameNow(now, fields[i])
			now[name] = present
			name = fields[i]
		}
		name = nameNow(now, name)
		h, seen := all[name]
		if !seen {
			h.Last = c.Last
		}
		h.Added, h.Author = c.Added, c.Author
		if !known { // the boundary of a shallow clone
			h.Added, h.Author = time.Time{}, ""
		}
		all[name] = h
	}
	return all, nil
}

// nameNow returns the present name of a file.
func nameNow(now map[string]string, name string) string {
	if present, ok := now[name]; ok {
		return present
	}
	return name
}

// An AuthoredCommit is a commit with its author.
type AuthoredCommit struct {
	Commit
	Author string // untrusted text on one line
}

// Authored returns the commits that HEAD reaches, the newest first, at most most, without the names
// that they changed. Before the first commit the list is empty. Errors are ErrNoRepository,
// ErrNotInstalled, ErrUnknown for a revision that begins like an option, and those of git.
func Authored(ctx context.Context, root, since string, most int) ([]AuthoredCommit, error) {
	args := []string{"-c", "log.showSignature=false", "log", "--no-show-signature", "--no-decorate", "--no-color", "--encoding=UTF-8", "--topo-order",
		"--max-count=" + strconv.Itoa(min(max(0, most), maxHistory)), "-z", "--format=%H %at%n%an%n%B", "HEAD"}
	if since != "" {
		if err := admit(since); err != nil {
			return nil, err
		}
		args = append(args, "--not", since)
	}
	out, err := run(ctx, root, nil, append(args, "--")...)
	if err != nil {
		if hasNoCommit(ctx, root) {
			return nil, nil
		}
		return nil, err
	}
	var all []AuthoredCommit
	for record := range bytes.SplitSeq(out, []byte{0}) {
		if len(record) == 0 {
			continue
		}
		first, rest, _ := strings.Cut(string(record), "\n")
		author, message, _ := strings.Cut(rest, "\n")
		c, err := heading(first + "\n" + message)
		if err != nil {
			return nil, err
		}
		all = append(all, AuthoredCommit{c, text.Limit(text.Line(author), 100)})
	}
	return all, nil
}
