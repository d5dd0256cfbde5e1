package git

import (
	"fmt"
	iofs "io/fs"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

const (
	state  = ".forgemind/context/current-context.json"
	ledger = ".forgemind/decisions/one.json"
	quaid  = ".quaid/config.json"
)

// The tests see neither the config of the machine nor that of its user.
func TestMain(m *testing.M) {
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	goleak.VerifyTestMain(m)
}

// gitAs runs git as a user would, with all that config and hooks bring.
func gitAs(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := gitAs(t, dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
	return out
}

// repository makes a repository with one commit of files.
func repository(t *testing.T, files map[string]string, options ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	git(t, dir, append([]string{"init", "--quiet", "--initial-branch=main"}, options...)...)
	commit(t, dir, files)
	return dir
}

func commit(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		write(t, dir, name, content)
	}
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "--allow-empty", "--message=step")
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, root, rev string) *Revision {
	t.Helper()
	r, err := At(t.Context(), root, rev)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func namesOf(t *testing.T, r Reader, dir string) []string {
	t.Helper()
	var names []string
	for name, err := range r.Names(dir) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func contentOf(t *testing.T, r Reader, name string) string {
	t.Helper()
	src, err := r.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func changed(t *testing.T, root string) []string {
	t.Helper()
	names, err := Changed(t.Context(), root, "", disk(root))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// A disk reads a working tree as package fs does.
type disk string

func (d disk) Read(name string) ([]byte, error) {
	file := filepath.Join(string(d), filepath.FromSlash(name))
	if entry, err := os.Lstat(file); err == nil && !entry.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", name)
	}
	return os.ReadFile(file)
}

func (d disk) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, folder := range []string{".forgemind", ".quaid"} {
			filepath.WalkDir(filepath.Join(string(d), folder), func(path string, entry iofs.DirEntry, err error) error {
				rel, _ := filepath.Rel(string(d), path)
				switch name := filepath.ToSlash(rel); {
				case os.IsNotExist(err):
				case err == nil && entry.IsDir() && entry.Name() == ".local":
					return filepath.SkipDir
				case err == nil && entry.IsDir():
				case !yield(name, err):
					return filepath.SkipAll
				}
				return nil
			})
		}
	}
}

// contents is every file below dir.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry iofs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		files[path] = string(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func untouched(t *testing.T, dir string, before map[string]string) {
	t.Helper()
	after := contents(t, dir)
	for _, file := range slices.Sorted(maps.Keys(after)) {
		if was, stood := before[file]; !stood || was != after[file] {
			t.Errorf("%s was written", file)
		}
	}
	if len(after) < len(before) {
		t.Errorf("%d files of %s are gone", len(before)-len(after), dir)
	}
}

func needsUnix(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("names and scripts that Windows does not have")
	}
}
