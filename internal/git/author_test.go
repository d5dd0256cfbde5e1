package git

import (
	"os/user"
	"testing"
)

func TestAuthor(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // no configuration of the user
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := repository(t, map[string]string{state: "one"})
	name := func(env map[string]string) string {
		return Author(t.Context(), dir, func(name string) string { return env[name] })
	}
	git(t, dir, "config", "user.name", "Ada  Lovelace")
	same(t, "of the repository", []string{name(nil)}, []string{"Ada Lovelace"})
	git(t, dir, "config", "author.name", "Ada the author")
	same(t, "of authors", []string{name(nil)}, []string{"Ada the author"})
	same(t, "of the environment", []string{name(map[string]string{"GIT_AUTHOR_NAME": "Grace\nHopper", "USER": "g"})}, []string{"Grace Hopper"})

	git(t, dir, "config", "--unset-all", "author.name")
	git(t, dir, "config", "--unset-all", "user.name")
	same(t, "of the login", []string{name(map[string]string{"USER": "grace"})}, []string{"grace"})
	t.Setenv("PATH", t.TempDir())
	same(t, "without git", []string{name(map[string]string{"USER": "grace"})}, []string{"grace"})
	if who, err := user.Current(); err == nil {
		same(t, "of the system", []string{name(nil)}, []string{who.Username})
	}
}
