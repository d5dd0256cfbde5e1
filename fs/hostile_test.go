//go:build unix

package fs

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// quickly fails a test that hangs.
func quickly(t *testing.T, what func()) {
	t.Helper()
	done := make(chan bool)
	go func() { defer close(done); what() }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it hangs")
	}
}

func TestWhatIsNoPlainFileIsRefused(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, plant := range map[string]func(path string) error{
		"a FIFO":                  func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"a link out":              func(path string) error { return os.Symlink(secret, path) },
		"a relative link out":     func(path string) error { return os.Symlink("../../../../../../../../etc/passwd", path) },
		"a link inside":           func(path string) error { return os.Symlink("config.json", path) },
		"a link to nothing":       func(path string) error { return os.Symlink("nothing", path) },
		"a hard link":             func(path string) error { return os.Link(secret, path) },
		"a directory":             func(path string) error { return os.Mkdir(path, 0o755) },
		"a socket or such device": func(path string) error { return syscall.Mknod(path, syscall.S_IFSOCK|0o644, 0) },
	} {
		t.Run(what, func(t *testing.T) {
			tree := newTree(t)
			put(t, tree, Config, "{}")
			put(t, tree, ".forgemind/context/config.json", "{}")
			path := filepath.Join(tree.Root(), State)
			if err := plant(path); err != nil {
				t.Skip(err)
			}
			before, _ := os.Lstat(path)
			quickly(t, func() {
				if text, err := tree.Read(State); !errors.Is(err, ErrIrregular) || len(text) > 0 {
					t.Errorf("read %q, %v", text, err)
				}
				if err := tree.Update(ctx, State, set("{}")); !errors.Is(err, ErrIrregular) {
					t.Errorf("update: %v", err)
				}
				if err := tree.Append(ctx, State, []byte("{}")); !errors.Is(err, ErrIrregular) {
					t.Errorf("append: %v", err)
				}
				_, err := tree.Transaction(ctx, func(tx *Tx) error { tx.Remove(State); return nil })
				if !errors.Is(err, ErrIrregular) {
					t.Errorf("remove: %v", err)
				}
			})
			after, err := os.Lstat(path)
			if err != nil || after.Mode() != before.Mode() {
				t.Errorf("it became %v, %v", after, err)
			}
			if text, _ := os.ReadFile(secret); string(text) != "secret" {
				t.Errorf("the file outside became %q", text)
			}
			noLitter(t, tree)
		})
	}
}

func TestDirectoriesThatAreLinks(t *testing.T) {
	outside := t.TempDir()
	for _, where := range []string{".forgemind", ".forgemind/context", ".forgemind/.local", ".forgemind/.local/stage", ".forgemind/.local/displaced", ".forgemind/.local/lock"} {
		for _, target := range []string{outside, "elsewhere"} {
			t.Run(where+" to "+filepath.Base(target), func(t *testing.T) {
				tree := openTree(t, t.TempDir())
				path := filepath.Join(tree.Root(), where)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.MkdirAll(filepath.Join(filepath.Dir(path), "elsewhere"), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(target, path); err != nil {
					t.Fatal(err)
				}
				tree.Update(ctx, State, set("{}"))
				err := tree.Update(ctx, State, set("{\"n\":2}"))
				if where != ".forgemind/.local/displaced" && !errors.Is(err, ErrIrregular) {
					t.Errorf("update: %v", err)
				}
				if left, _ := os.ReadDir(outside); len(left) > 0 {
					t.Errorf("written outside: %v", left)
				}
				if left, _ := os.ReadDir(filepath.Join(filepath.Dir(path), "elsewhere")); len(left) > 0 {
					t.Errorf("written through the link: %v", left)
				}
			})
		}
	}
}

func TestNames(t *testing.T) {
	long := ".forgemind/" + strings.Repeat("d/", 60) + strings.Repeat("n", 200) + ".md"
	for name, ok := range map[string]bool{
		State: true, ".quaid/a b/ü.md": true, long: true, ".forgemind/.local/acted.json": true, ".forgemind/conx.md": true,
		"": false, ".": false, "..": false, "/etc/passwd": false, "../x": false, ".forgemind/../../x": false, ".forgemind/./a": false,
		".forgemind//a": false, ".forgemind/a/": false, ".forgemind": false, ".forgemind/": false, "README.md": false,
		".forgemind-evil/a": false, ".forgemind\\a": false, ".forgemind/a\\..\\b": false, ".forgemind/a:b": false, "C:/a": false,
		".forgemind/nul": false, ".forgemind/COM1.json": false, ".forgemind/aux.tar.gz": false, ".forgemind/con .md": false,
		".forgemind/a.": false, ".forgemind/a /b": false, ".forgemind/a\nb": false, ".forgemind/\x1b[31m": false, ".forgemind/a\x00": false,
		".forgemind/.git/config": false, ".forgemind/x/.GIT/hooks": false, ".forgemind/.LOCAL/lock": false,
		".forgemind/.local": false, ".forgemind/.local/lock": false, ".quaid/.local/txn/x/COMMIT": false, ".quaid/.local/holder": false,
	} {
		if err := admitWrite(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
		if !plain(name) {
			continue
		}
		if !filepath.IsLocal(name) || filepath.Clean(name) != name {
			t.Errorf("%q passes as plain", name)
		}
	}
	tree := newTree(t)
	for _, text := range []string{"1\n", "2\n"} {
		if err := tree.Update(ctx, long, set(text)); err != nil {
			t.Error(err)
		}
	}
	err := tree.Update(ctx, "../x", set("1"))
	if !errors.Is(err, ErrName) {
		t.Errorf("outside: %v", err)
	}
	if _, err := tree.Read("../../etc/passwd"); !errors.Is(err, ErrName) {
		t.Errorf("outside: %v", err)
	}
}

func FuzzAdmit(f *testing.F) {
	for _, name := range []string{State, "..", "a/../b", "nul", "COM1.x", "a:b", "a\\b", ".local/x", "con/a", "a ."} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if admit(name) != nil {
			return
		}
		if !filepath.IsLocal(name) || filepath.ToSlash(filepath.Clean(name)) != name {
			t.Errorf("%q is admitted", name)
		}
		for _, part := range strings.Split(name, "/") {
			if reserved(part) {
				t.Errorf("%q is admitted: %q", name, part)
			}
		}
	})
}

func TestTooLarge(t *testing.T) {
	t.Parallel() // it waits
	tree := newTree(t)
	put(t, tree, State, "")
	put(t, tree, Messages, "")
	for _, name := range []string{State, Messages} {
		if err := os.Truncate(filepath.Join(tree.Root(), name), maxFile+1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tree.Read(State); !errors.Is(err, ErrTooLarge) {
		t.Errorf("JSON: %v", err)
	}
	if text, err := tree.Read(Messages); err != nil || len(text) != maxFile+1 {
		t.Errorf("JSONL: %d bytes, %v", len(text), err)
	}
	if err := os.Truncate(filepath.Join(tree.Root(), Messages), 1<<40); err == nil {
		if _, err := tree.Read(Messages); !errors.Is(err, ErrTooLarge) {
			t.Errorf("a terabyte: %v", err)
		}
	}
}

func TestForeignLocalFilesAreNotObeyed(t *testing.T) {
	tree := newTree(t)
	put(t, tree, State, "{}\n")
	put(t, tree, ".forgemind/.local/txn/evil/COMMIT", `{"entries":[{"name":"../outside","do":"replace","file":"0","over":"-","data":"x"}]}`)
	put(t, tree, ".forgemind/.local/txn/worse/COMMIT", `{"entries":[{"name":".quaid/x","do":"replace","file":"../../../README","over":"-"}]}`)
	put(t, tree, ".forgemind/.local/txn/torn/COMMIT", `{"entries":[{"na`)
	put(t, tree, ".forgemind/.local/stage/evil-a-b-c", "x")
	put(t, tree, ".forgemind/.local/stage/0123456789abcdef-0123456789abcdef-0123456789abcdef-..%2F..%2Fx", "x")
	put(t, tree, ".forgemind/.local/displaced/x", "x")
	put(t, tree, ".forgemind/.local/displaced/0000000000000000-0123456789abcdef-..%2Fx", "x")
	put(t, tree, ".forgemind/.local/holder", "what\x1b[31m")
	put(t, tree, "README", "mine\n")
	before := files(t, tree, ".")
	if err := tree.Update(ctx, State, set("{\"n\":1}\n")); err != nil {
		t.Fatal(err)
	}
	noLitter(t, tree)
	for _, name := range files(t, tree, ".") {
		if !strings.Contains(name, "/.local/") && !strings.HasSuffix(name, ".gitignore") && !slices.Contains(before, name) {
			t.Errorf("%s appeared", name)
		}
	}
	if _, err := os.Stat(filepath.Join(tree.Root(), ".local")); err == nil {
		t.Error(".local appeared in the project")
	}
}

// asNobody runs a test without root's power over modes.
func asNobody(t *testing.T, tree *Tree) {
	if os.Getuid() != 0 {
		return
	}
	os.Chmod(filepath.Dir(tree.Root()), 0o755)
	filepath.WalkDir(tree.Root(), func(path string, _ iofs.DirEntry, _ error) error {
		return os.Lchown(path, 65534, 65534)
	})
	if err := unprivileged(t); err != nil {
		t.Skip("cannot give up root: ", err)
	}
}

func TestReadOnlyTree(t *testing.T) {
	tree := newTree(t)
	put(t, tree, State, "{}\n")
	asNobody(t, tree)
	for _, dir := range []string{".forgemind/context", ".forgemind", ".quaid"} {
		path := filepath.Join(tree.Root(), dir)
		if err := os.Chmod(path, 0o555); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(path, 0o755)
	}
	if text, err := tree.Read(State); err != nil || string(text) != "{}\n" {
		t.Errorf("read %q, %v", text, err)
	}
	err := tree.Update(ctx, State, set("{\"n\":1}\n"))
	if !errors.Is(err, iofs.ErrPermission) || !strings.Contains(err.Error(), ".forgemind") {
		t.Errorf("update: %v", err)
	}
	tree.DryRun = true
	if changes, err := tree.Transaction(ctx, func(tx *Tx) error { tx.Write(State, []byte("1")); return nil }); err != nil || len(changes) != 1 {
		t.Errorf("dry run: %v, %v", changes, err)
	}
}

func TestUnreadableDirectoryIsNamedAndPassed(t *testing.T) {
	tree := newTree(t)
	for _, name := range []string{".forgemind/a/x.md", ".forgemind/b/x.md", ".forgemind/c.md"} {
		put(t, tree, name, "x")
	}
	asNobody(t, tree)
	path := filepath.Join(tree.Root(), ".forgemind/a")
	os.Chmod(path, 0)
	defer os.Chmod(path, 0o755)
	var got []string
	for name, err := range tree.Names(".") {
		if (err != nil) != (name == ".forgemind/a") {
			t.Errorf("%s: %v", name, err)
		}
		got = append(got, name)
	}
	if want := []string{".forgemind/a", ".forgemind/b/x.md", ".forgemind/c.md"}; !slices.Equal(got, want) {
		t.Errorf("names %q", got)
	}
}

// TestOutsideWhereNobodyMayLook: what the system does not say is not taken for what is
// not there.
func TestOutsideWhereNobodyMayLook(t *testing.T) {
	dir := t.TempDir()
	shut := filepath.Join(dir, "shut")
	if err := os.MkdirAll(filepath.Join(shut, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shut, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(shut, 0o755) })
	out, err := OpenOutside(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := out.RemoveDir("never"); err != nil {
		t.Errorf("what is not there: %v", err)
	}
	if there, err := out.Has("never/a"); there || err != nil {
		t.Errorf("what is not there: %v, %v", there, err)
	}
	if os.Getuid() == 0 {
		if err := unprivileged(t); err != nil {
			t.Skip("cannot give up root: ", err)
		}
	}
	if err := out.RemoveDir("shut/empty"); !errors.Is(err, iofs.ErrPermission) {
		t.Errorf("it says %v", err)
	}
	if there, err := out.Has("shut/empty"); there || !errors.Is(err, iofs.ErrPermission) {
		t.Errorf("it has it: %v, %v", there, err)
	}
}

func TestReadOnlyDirectoryAfterTheLock(t *testing.T) {
	tree := newTree(t)
	put(t, tree, State, "{}\n")
	if err := tree.Update(ctx, Config, set("{}\n")); err != nil {
		t.Fatal(err)
	}
	asNobody(t, tree)
	path := filepath.Join(tree.Root(), ".forgemind/context")
	os.Chmod(path, 0o555)
	defer os.Chmod(path, 0o755)
	err := tree.Update(ctx, State, set("{\"n\":1}\n"))
	if !errors.Is(err, iofs.ErrPermission) {
		t.Errorf("update: %v", err)
	}
	_, err = tree.Transaction(ctx, func(tx *Tx) error {
		tx.Write(State, []byte("{\"n\":1}\n"))
		tx.Write(".forgemind/other.md", []byte("x"))
		return nil
	})
	if err == nil {
		t.Error("a transaction succeeded")
	}
	if got := get(t, tree, State); got != "{}\n" {
		t.Errorf("live: %q", got)
	}
	os.Chmod(path, 0o755)
	if err := tree.Update(ctx, Config, set("{\"n\":1}\n")); err != nil {
		t.Errorf("the next one: %v", err)
	}
	noLitter(t, tree)
}

func TestFolderTakenAwayIsNotMadeAgain(t *testing.T) {
	tree := newTree(t)
	put(t, tree, State, "{}\n")
	tree.pause = func(step, _ string) {
		if step != "compared" {
			return
		}
		os.Rename(filepath.Join(tree.Root(), ".forgemind"), filepath.Join(tree.Root(), "away"))
	}
	if err := tree.Update(ctx, State, set("{\"n\":1}\n")); err == nil {
		t.Error("it succeeded")
	}
	tree.pause = nil
	if _, err := os.Stat(filepath.Join(tree.Root(), ".forgemind")); err == nil {
		t.Error("the folder was made again")
	}
	if text, err := os.ReadFile(filepath.Join(tree.Root(), "away/context/current-context.json")); err != nil || !bytes.HasPrefix(text, []byte("{")) {
		t.Errorf("%q, %v", text, err)
	}
}

func TestFolderTakenAwayDuringTheEditIsNotMadeAgain(t *testing.T) {
	tree := newTree(t)
	for _, where := range []string{".forgemind", ".forgemind/.local"} {
		if err := tree.Update(ctx, Config, set("{}\n")); err != nil {
			t.Fatal(err)
		}
		err := tree.Update(ctx, doc, func([]byte) ([]byte, error) {
			os.RemoveAll(filepath.Join(tree.Root(), where))
			return []byte("x"), nil
		})
		if !errors.Is(err, iofs.ErrNotExist) {
			t.Errorf("%s: %v", where, err)
		}
		if _, err := os.Stat(filepath.Join(tree.Root(), where)); err == nil {
			t.Errorf("%s was made again", where)
		}
		if err := tree.Create(Forgemind); err != nil {
			t.Fatal(err)
		}
	}
}

// .local/ may be a filesystem of its own.
func TestLocalOnAnotherFilesystem(t *testing.T) {
	tree := newTree(t)
	local := filepath.Join(tree.Root(), LocalName(Forgemind))
	if err := os.Mkdir(local, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := mountSmall(t, local); err != nil {
		t.Skip("no small file system to be had: ", err)
	}
	put(t, tree, doc, "one\n")
	if err := tree.Update(ctx, doc, addB); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Transaction(ctx, func(tx *Tx) error {
		tx.Write(State, []byte("{}\n"))
		tx.Write(doc, []byte("three\n"))
		tx.Append(Messages, []byte("{}"))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tree, doc) + get(t, tree, State) + get(t, tree, Messages); got != "three\n{}\n{}\n" {
		t.Errorf("live: %q", got)
	}
	if _, err := tree.Transaction(ctx, func(tx *Tx) error { tx.Remove(doc); return nil }); err != nil {
		t.Error(err)
	}
	kept := ""
	for _, name := range append(files(t, tree, LocalName(Forgemind, displacedDir)), files(t, tree, LocalName(Forgemind, trashDir))...) {
		kept += get(t, tree, name)
	}
	if kept != "one\none\ntool\nthree\n" {
		t.Errorf("kept: %q", kept)
	}
	for _, name := range files(t, tree, ".") {
		if strings.HasSuffix(name, "~") {
			t.Errorf("litter: %s", name)
		}
	}
	noLitter(t, tree)
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := mountSmall(t, dir); err != nil {
		t.Skip("no small file system to be had: ", err)
	}
	failures := 0
	for fill := range 48 {
		func() {
			tree := openTree(t, dir)
			defer os.RemoveAll(filepath.Join(dir, Forgemind))
			defer os.Remove(filepath.Join(dir, "filler"))
			if err := tree.Create(Forgemind); err != nil {
				t.Fatal(err)
			}
			old := strings.Repeat("old\n", 2000)
			put(t, tree, doc, old)
			put(t, tree, Messages, "{\"n\":1}\n")
			put(t, tree, Config, "{}\n")
			if err := tree.Update(ctx, Config, set("{ }\n")); err != nil {
				t.Fatal(err)
			}
			var st syscall.Statfs_t
			syscall.Statfs(dir, &st)
			left := int64(st.Bavail)*int64(st.Bsize) - int64(fill)*4096
			if left < 0 {
				return
			}
			os.WriteFile(filepath.Join(dir, "filler"), make([]byte, left), 0o644)
			one := tree.Update(ctx, doc, set(strings.Repeat("new\n", 3000)))
			is := get(t, tree, doc)
			if one != nil && is != old || one == nil && is == old {
				t.Errorf("%d blocks: %v, but %d bytes live", fill, one, len(is))
			}
			long := bytes.Repeat([]byte("x"), 6000)
			two := tree.Append(ctx, Messages, fmt.Appendf(nil, `{"n":"%s"}`, long))
			if n := len(get(t, tree, Messages)); two != nil && n != 8 || two == nil && n < 6000 {
				t.Errorf("%d blocks: %v, but %d bytes of messages", fill, two, n)
			}
			_, three := tree.Transaction(ctx, func(tx *Tx) error {
				tx.Write(Config, long)
				tx.Write(".forgemind/memory/b.md", long)
				return nil
			})
			b, err := tree.Read(".forgemind/memory/b.md")
			config := get(t, tree, Config)
			if three != nil && (err == nil || config != "{ }\n") || three == nil && (len(b) != 6000 || len(config) != 6000) {
				t.Errorf("%d blocks: %v, but config %d bytes, b %v", fill, three, len(config), err)
			}
			for _, err := range []error{one, two, three} {
				if err != nil {
					failures++
					if !errors.Is(err, syscall.ENOSPC) {
						t.Errorf("%d blocks: %v", fill, err)
					}
				}
			}
			os.Remove(filepath.Join(dir, "filler"))
			if err := tree.Update(ctx, ".forgemind/after.md", set("x")); err != nil {
				t.Errorf("with room again: %v", err)
			}
			noLitter(t, tree)
		}()
	}
	if failures == 0 {
		t.Error("the disk was never full")
	}
}
