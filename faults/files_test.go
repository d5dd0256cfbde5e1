//go:build linux

package faults_test

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// newDir makes a directory that everybody may enter. It is called "tree" so that all
// projects have the same name.
func newDir(t *testing.T) string {
	t.Helper()
	parent, err := os.MkdirTemp("", "faults-tree")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(parent) })
	os.Chmod(parent, 0o755)
	dir := filepath.Join(parent, "tree")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// homeOf returns the home directory of the user whose project directory is dir.
func homeOf(dir string) string { return filepath.Join(filepath.Dir(dir), "home") }

// copyTree copies dir, and the home beside it if there is one, to a new directory.
func copyTree(t *testing.T, dir string) string {
	t.Helper()
	to := newDir(t)
	if err := copyInto(dir, to); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(homeOf(dir)); err == nil {
		if err := copyInto(homeOf(dir), homeOf(to)); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// copyInto copies a directory, with modes, to one that may be there.
func copyInto(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		info, err := entry.Info()
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if entry.IsDir() {
			if err := os.Mkdir(target, info.Mode().Perm()); rel != "." || !os.IsExist(err) {
				return err
			}
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, info.Mode().Perm())
	})
}

// file writes a file in dir, and makes the folders that it is in.
func file(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// read returns the text of a file in dir.
func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

// glob returns the names, in dir, of the files that a pattern matches.
func glob(dir, pattern string) (names []string) {
	found, _ := filepath.Glob(filepath.Join(dir, pattern))
	for _, path := range found {
		name, _ := filepath.Rel(dir, path)
		names = append(names, name)
	}
	return names
}

// oneOf returns the first name that glob returns.
func oneOf(t *testing.T, dir, pattern string) string {
	t.Helper()
	names := glob(dir, pattern)
	if len(names) == 0 {
		t.Fatalf("%s: nothing there", pattern)
	}
	return names[0]
}

// replaceIn replaces a pattern everywhere in the files that another pattern matches.
func replaceIn(t *testing.T, dir, names, pattern, by string) {
	t.Helper()
	oneOf(t, dir, names)
	for _, name := range glob(dir, names) {
		old := read(t, dir, name)
		text := regexp.MustCompile(pattern).ReplaceAllString(old, by)
		if text == old {
			t.Fatalf("%s: no %s in it", name, pattern)
		}
		file(t, dir, name, text)
	}
}

// below returns the path and the description of everything below dir, dir included.
// It calls failed with what cannot be looked at.
func below(dir string, failed func(...any)) iter.Seq2[string, fs.FileInfo] {
	return func(yield func(string, fs.FileInfo) bool) {
		filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				failed(err)
				return nil
			}
			info, err := entry.Info()
			if err != nil {
				failed(err)
			} else if !yield(path, info) {
				return fs.SkipAll
			}
			return nil
		})
	}
}

// ignore takes what below cannot look at, where a tree changes or anything may stand in it.
func ignore(...any) {}

// documents returns the name, in dir, and the text of each file of dir.
func documents(t *testing.T, dir string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for path, info := range below(dir, t.Error) {
			if name, _ := filepath.Rel(dir, path); !info.IsDir() && !yield(name, read(t, dir, name)) {
				return
			}
		}
	}
}

// inventory describes everything in a directory in full.
func inventory(t *testing.T, dir string) string {
	t.Helper()
	if _, err := os.Lstat(dir); err != nil {
		t.Error(err)
	}
	var b strings.Builder
	for path, info := range below(dir, ignore) {
		text, _ := os.ReadFile(path)
		fmt.Fprintln(&b, path, info.Mode(), info.ModTime(), string(text))
	}
	return b.String()
}

// filesWith returns the regular files below dir of at most a MiB that have words.
func filesWith(dir, words string) (names []string) {
	for path, info := range below(dir, ignore) {
		if info.Mode().IsRegular() && info.Size() <= 1<<20 {
			if text, _ := os.ReadFile(path); strings.Contains(string(text), words) {
				names = append(names, path)
			}
		}
	}
	return names
}

// ledger returns the text of each decision of the trees in dir, by its name.
func ledger(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range glob(dir, ".*/decisions/*.json") {
		all[name] = read(t, dir, name)
	}
	return all
}

// unfinished returns the names of the files that belong to a command that is not done yet.
func unfinished(dir string) []string {
	return append(glob(dir, ".*/.local/stage/*"), glob(dir, ".*/.local/txn/*")...)
}
