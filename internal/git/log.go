package git

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/forgemind/forgemind/internal/text"
)

// errUnborn is git's message for a branch without commits.
const errUnborn = "does not have any commits yet"

// Log returns the newest commits, at most most, that changed path, a slash path
// relative to root. Each is one line with date (UTC), abbreviated id and subject; the
// newest comes first. The list is empty if no commit has the path. Errors are
// ErrNoRepository, ErrNotInstalled and those of git.
func Log(ctx context.Context, root, path string, most int) ([]string, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, fmt.Errorf("%s: no path", echo(path))
	}
	out, err := run(ctx, root, nil, "-c", "log.showSignature=false", "--literal-pathspecs", "log", "--no-show-signature", "--no-decorate", "--no-color",
		"--encoding=UTF-8", fmt.Sprintf("--max-count=%d", max(0, most)), "-z", "--format=%ct %h %s", "--", path)
	if err != nil {
		if strings.Contains(err.Error(), errUnborn) {
			return nil, nil
		}
		return nil, err
	}
	var lines []string
	for record := range strings.SplitSeq(string(out), "\x00") {
		if record == "" {
			continue
		}
		line, err := logLine(record)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// logLine formats a record of seconds, id and subject for people.
func logLine(record string) (string, error) {
	seconds, rest, _ := strings.Cut(record, " ")
	id, subject, ok := strings.Cut(rest, " ")
	var at int64
	if _, err := fmt.Sscanf(seconds, "%d", &at); err != nil || !ok {
		return "", errors.New("git log: unexpected answer " + echo(record))
	}
	subject = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(subject, "\uFFFD"))
	return fmt.Sprintf("%s %s %s", time.Unix(at, 0).UTC().Format(time.DateOnly), id, text.Head(subject, maxEcho)), nil
}
