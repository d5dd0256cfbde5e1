package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
)

// ErrAuthor is the error if git or the system could not be asked for the author's name,
// so that it is unknown whether there is one.
var ErrAuthor = errors.New("the author's name cannot be read")

// Author returns the name that git would use as author of a commit in dir:
// GIT_AUTHOR_NAME of the environment, else author.name or user.name of the repository's
// or the user's configuration. If git has no name or is not installed, it returns the
// login name, or "user" if there is none. The error is ErrAuthor, with its cause, if
// git or the list of users cannot be read.
func Author(ctx context.Context, dir string, getenv func(string) string) (string, error) {
	if name := oneLine(getenv("GIT_AUTHOR_NAME")); name != "" {
		return name, nil
	}
	name, err := configuredName(ctx, dir)
	if name != "" || err != nil {
		return name, err
	}
	for _, variable := range []string{"USER", "LOGNAME", "USERNAME"} {
		if name := oneLine(getenv(variable)); name != "" {
			return name, nil
		}
	}
	name, err = loginName()
	return cmp.Or(name, "user"), err
}

// configuredName returns the name in git's configuration, "" if it has none.
func configuredName(ctx context.Context, dir string) (string, error) {
	out, err := run(ctx, dir, nil, "config", "--null", "--get-regexp", `^(author|user)\.name$`)
	var exit *exec.ExitError
	switch {
	case errors.Is(err, ErrNotInstalled), errors.Is(err, ErrNoRepository):
		return "", nil
	case errors.As(err, &exit) && exit.ExitCode() == 1: // no such key
		return "", nil
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrAuthor, err)
	}
	values := map[string]string{} // the last value of a name counts
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		key, value, _ := strings.Cut(string(entry), "\n")
		values[key] = oneLine(value)
	}
	return cmp.Or(values["author.name"], values["user.name"]), nil
}

// loginName returns the login name of the user of this process, "" if the system has
// none.
func loginName() (string, error) {
	who, err := user.Current()
	if uid := os.Getuid(); err != nil && uid >= 0 { // -1 on Windows
		who, err = user.LookupId(strconv.Itoa(uid)) // its error has the reason
	}
	var unknown user.UnknownUserIdError
	switch {
	case errors.As(err, &unknown), errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrAuthor, err)
	}
	return oneLine(who.Username), nil
}

// oneLine returns a name without control characters and line breaks.
func oneLine(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	return strings.Join(strings.Fields(name), " ")
}
