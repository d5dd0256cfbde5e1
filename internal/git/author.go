package git

import (
	"bytes"
	"cmp"
	"context"
	"os/user"
	"strings"
)

// Author returns the name that git signs a commit in dir with: GIT_AUTHOR_NAME of
// the environment, else author.name or user.name of the repository's or the user's
// configuration. Where git says nothing, or is not installed, it is the login name,
// and "user" where even that is unknown.
func Author(ctx context.Context, dir string, getenv func(string) string) string {
	if name := oneLine(getenv("GIT_AUTHOR_NAME")); name != "" {
		return name
	}
	out, _ := run(ctx, dir, nil, "config", "--null", "--get-regexp", `^(author|user)\.name$`)
	said := map[string]string{} // the last value of a name holds
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		key, value, _ := strings.Cut(string(entry), "\n")
		said[key] = oneLine(value)
	}
	if name := cmp.Or(said["author.name"], said["user.name"]); name != "" {
		return name
	}
	for _, variable := range []string{"USER", "LOGNAME", "USERNAME"} {
		if name := oneLine(getenv(variable)); name != "" {
			return name
		}
	}
	if who, err := user.Current(); err == nil {
		return cmp.Or(oneLine(who.Username), "user")
	}
	return "user"
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
