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

// ErrAuthor says that git or the system could not be asked for the author's name,
// so that nobody knows whether there is one.
var ErrAuthor = errors.New("the author's name cannot be read")

// Author returns the name that git signs a commit in dir with: GIT_AUTHOR_NAME of
// the environment, else author.name or user.name of the repository's or the user's
// configuration. Where git has no name, or is not installed, it is the login name,
// and "user" where the login has no name either. The error is ErrAuthor, with its
// cause, if git or the list of users cannot be read.
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

// configuredName returns the name of git's configuration, "" if it has none.
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
	values := map[string]string{} // the last value of a name holds
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		key, value, _ := strings.Cut(string(entry), "\n")
		values[key] = oneLine(value)
	}
	return cmp.Or(values["author.name"], values["user.name"]), nil
}

// loginName returns the name of the user that this process runs as, "" if the
// system has no name for that user.
func loginName() (string, error) {
	who, err := user.Current()
	if uid := os.Getuid(); err != nil && uid >= 0 { // -1 on Windows
		who, err = user.LookupId(strconv.Itoa(uid)) // its error tells why
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

// oneLine is a name without control characters and line breaks.
func oneLine(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	return strings.Join(strings.Fields(name), " ")
}
