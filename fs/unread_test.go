//go:build unix

package fs

import (
	"errors"
	iofs "io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder that nobody may look at is not taken for missing: it may be the tree.
func TestFindSaysWhatItMayNotLookAt(t *testing.T) {
	tree := newTree(t)
	below := filepath.Join(tree.Root(), "below")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	asNobody(t, tree)
	if root, err := Find(below); root != tree.Root() {
		t.Errorf("found %q, %v", root, err)
	}
	os.Chmod(tree.Root(), 0)
	defer os.Chmod(tree.Root(), 0o755)
	if _, err := Find(below); !Unread(err) || !errors.Is(err, iofs.ErrPermission) || errors.Is(err, ErrNoTree) || !strings.Contains(err.Error(), below) {
		t.Errorf("not looked at: %v", err)
	}
}

// A change that asked for a document and was not given it is not published,
// whatever it made of that; one that only looked, and a part of a change that is
// taken back, hold nothing up.
func TestNothingIsBuiltOnWhatWasNotGiven(t *testing.T) {
	const told, list = ".forgemind/memory/ann-notes.md", ".forgemind/channels/walls"
	read := func(tx *Tx) error {
		_, err := tx.Read(told)
		return err
	}
	walk := func(tx *Tx) (wrong error) {
		for _, err := range tx.Names(list) {
			wrong = err
		}
		return wrong
	}
	kept := []string{LocalName(Forgemind, "usage.json"), CacheArtifacts + "/a.cache"}
	unknown := errors.New("there is no such note")
	for _, c := range []struct {
		name    string
		edit    func(tx *Tx, ask func(*Tx) error) error
		refused bool
		written string // of state.json
	}{
		{"taken for missing", func(tx *Tx, ask func(*Tx) error) error {
			ask(tx)
			tx.Write(State, []byte("half\n"))
			return nil
		}, true, ""},
		{"taken for a mistake of who asks", func(tx *Tx, ask func(*Tx) error) error {
			ask(tx)
			return unknown
		}, true, ""},
		{"looked at", func(tx *Tx, ask func(*Tx) error) error {
			ask(tx)
			return tx.Try(func(*Tx) error { return nil })
		}, false, ""},
		{"tried", func(tx *Tx, ask func(*Tx) error) error {
			tx.Write(State, []byte("whole\n"))
			if err := tx.Try(func(tx *Tx) error {
				ask(tx)
				tx.Write(State, []byte("half\n"))
				return nil
			}); !errors.Is(err, iofs.ErrPermission) {
				t.Errorf("what was tried failed with %v", err)
			}
			return nil
		}, false, "whole\n"},
		{"not a document", func(tx *Tx, _ func(*Tx) error) error {
			for _, name := range kept {
				if _, err := tx.Read(name); !errors.Is(err, iofs.ErrPermission) {
					t.Errorf("%s was read: %v", name, err)
				}
			}
			tx.Write(State, []byte("whole\n"))
			return nil
		}, false, "whole\n"},
	} {
		for how, ask := range map[string]func(*Tx) error{"read": read, "listed": walk} {
			t.Run(c.name+"/"+how, func(t *testing.T) {
				t.Parallel()
				tree := newTree(t)
				put(t, tree, told, "# Notes\n")
				put(t, tree, list+"/pins.json", "{}\n")
				for _, name := range kept {
					put(t, tree, name, "{}\n")
				}
				asNobody(t, tree)
				for _, name := range append(kept, told, list) {
					path := filepath.Join(tree.Root(), name)
					os.Chmod(path, 0)
					defer os.Chmod(path, 0o755)
				}
				_, err := tree.Transaction(ctx, func(tx *Tx) error {
					return c.edit(tx, ask)
				})
				if refused := errors.Is(err, iofs.ErrPermission); refused != c.refused || !refused && err != nil {
					t.Errorf("it came to %v", err)
				}
				now, err := tree.Read(State)
				if string(now) != c.written || (err == nil) != (c.written != "") {
					t.Errorf("there is %q, %v", now, err)
				}
			})
		}
	}
}
