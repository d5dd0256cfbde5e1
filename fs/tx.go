package fs

import (
	"bytes"
	"fmt"
	iofs "io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/secret"
)

// MaxRecord is the maximum length, in bytes, of a JSONL record that is appended.
const MaxRecord = 1 << 20

// A Change is what a transaction did to one name. Before is nil where it was
// created, After where it was removed. Where records were only appended, both
// are nil and Appended holds the lines, each with its newline.
type Change struct {
	Name          string
	Before, After []byte
	Appended      []byte
}

// A Tx is a transaction under way: it reads what is staged, else what is on
// disk, and stages what is to be written. A document that it asked for and that
// the system did not give (see Unread) may hold anything: what is staged beside
// that is made of half of the tree, and is not published, whatever became of the
// error. What is kept below `.local/` and in the cache is no document: whoever
// reads it answers for it. It is for one goroutine.
type Tx struct {
	tree   *Tree
	seen   map[string]version // what the edit saw of the disk
	past   *past
	staged map[string]stage
	order  []string
	below  map[string]map[string]bool                    // the staged names below each folder
	undos  []undo                                        // what Try takes back, the last one first
	marked int                                           // the last Mark
	wait   func(name string, v version) (version, error) // for an unfinished save
	jots   map[string][]byte                             // see Jot
	err    error                                         // the first wrong name or record
	missed error                                         // the first Unread of a name
	masker secret.Masker                                 // of what is staged
	known  map[string][]byte                             // see Knows
}

// A stage is what is to become of one name. It is never changed, only replaced.
type stage struct {
	kind kind
	data []byte // replace: the new bytes; add: the lines
	back bool   // replace: the bytes stood there before
	view viewKind
}

// An undo holds what was staged for a name before it was staged anew.
type undo struct {
	name string
	was  stage
	ok   bool // there was something
}

type kind int

const (
	replace kind = iota
	remove
	add
)

// Read returns the bytes at name as they will be; see Reader. They must not be
// changed. A file that an editor is in the middle of saving is waited for.
func (tx *Tx) Read(name string) ([]byte, error) {
	if data, ok := tx.jots[name]; ok {
		return data, nil
	}
	s, ok := tx.staged[name]
	if ok && s.kind == replace {
		return s.data, nil
	}
	if ok && s.kind == remove {
		return nil, notExist(name)
	}
	v, err := tx.old(name)
	if err != nil {
		tx.miss(name, err)
		return nil, err
	}
	if ok {
		return joinLines(v.data, s.data), nil
	}
	if !v.exists {
		return nil, notExist(name)
	}
	return v.data, nil
}

// Names yields the names as they will be; see Reader.
func (tx *Tx) Names(dir string) iter.Seq2[string, error] {
	standing := tx.standing(dir)
	return func(yield func(string, error) bool) {
		for name, err := range overlay(tx.tree.Names(dir), dir, standing) {
			tx.miss(name, err)
			if !yield(name, err) {
				return
			}
		}
	}
}

// standing reports of the names that the transaction stages below dir, or has published,
// whether they stand.
func (tx *Tx) standing(dir string) map[string]bool {
	standing := map[string]bool{}
	if tx.past != nil {
		for name, v := range tx.past.input {
			standing[name] = v.exists
		}
	}
	for name := range tx.below[dir] { // many may be staged elsewhere
		standing[name] = tx.staged[name].kind != remove
	}
	return standing
}

// Knows notes what stands at name, for whoever has it from an index instead of Read: a
// secret in it is no new one; see Masked.
func (tx *Tx) Knows(name string, data []byte) {
	if tx.known == nil {
		tx.known = map[string][]byte{}
	}
	tx.known[name] = data
}

// Tree returns the tree that the transaction changes, as it stands.
func (tx *Tx) Tree() *Tree { return tx.tree }

// miss takes note of a document that was not given.
func (tx *Tx) miss(name string, err error) {
	if tx.missed == nil && Unread(err) && !IsLocal(name) && !strings.HasPrefix(name+"/", Cache+"/") {
		tx.missed = err
	}
}

// because is why an edit failed: one that was not given what it asked for may
// take it for missing.
func (tx *Tx) because(err error) error {
	if tx.missed == nil || Unread(err) {
		return err
	}
	return tx.missed
}

// Write stages new bytes for name, with the secrets masked that are new; see
// Masked. Bytes equal to those read are no change.
func (tx *Tx) Write(name string, data []byte) {
	if data == nil {
		data = []byte{}
	}
	tx.put(name, stage{kind: replace, data: tx.mask(name, data)})
}

// Restore is Write of what is known to have stood at name before, whatever is
// wrong with it: Tree.Check is not asked about it, and nothing is masked.
func (tx *Tx) Restore(name string, data []byte) {
	tx.put(name, stage{kind: replace, data: append([]byte{}, data...), back: true})
}

// Remove stages the removal of name; its bytes go to `.local/trash/`.
func (tx *Tx) Remove(name string) { tx.put(name, stage{kind: remove}) }

// Append stages one JSONL record (without its newline, 1 MiB at most) for the
// end of name, with the secrets masked that are new.
func (tx *Tx) Append(name string, record []byte) {
	switch {
	case len(record) > MaxRecord:
		tx.fail(fmt.Errorf("%s: %w: a record of %d bytes, at most %d", name, ErrTooLarge, len(record), MaxRecord))
		return
	case len(bytes.TrimSpace(record)) == 0 || bytes.ContainsAny(record, "\n\x00"):
		tx.fail(fmt.Errorf("%s: a record is one line", name))
		return
	}
	line := append(slices.Clip(tx.mask(name, record)), '\n')
	switch s, ok := tx.staged[name]; {
	case ok && s.kind == replace:
		tx.put(name, stage{kind: replace, data: joinLines(s.data, line)})
	case ok && s.kind == remove:
		tx.put(name, stage{kind: replace, data: line})
	default:
		// Room behind s.data is nobody's: what held more was taken back by Try.
		tx.put(name, stage{kind: add, data: append(s.data, line...)})
	}
}

// Jot keeps a small file of `.local/` for as long as nothing goes wrong: it is
// written under the lock, after what is staged and only if anything is, and is
// not made durable. It spares counters the cost of a document.
func (tx *Tx) Jot(name string, data []byte) {
	if tx.jots == nil {
		tx.jots = map[string][]byte{}
	}
	tx.jots[name] = data
}

// Try runs fn and takes back what it staged if it fails, or if it was not given
// what it asked for.
func (tx *Tx) Try(fn func(*Tx) error) error {
	mark, jots, failed, missed := tx.Mark(), maps.Clone(tx.jots), tx.err, tx.missed
	tx.missed = nil
	err := fn(tx)
	if err == nil {
		err = tx.err
	}
	if err = tx.because(err); err != nil {
		tx.takeBack(mark)
		tx.jots, tx.err = jots, failed
	}
	tx.missed = missed
	return err
}

func (tx *Tx) put(name string, s stage) {
	if err := admitWrite(name); err != nil {
		tx.fail(err)
		return
	}
	was, ok := tx.staged[name]
	if n := len(tx.undos); n <= tx.marked || tx.undos[n-1].name != name { // else nobody goes back to was
		tx.undos = append(tx.undos, undo{name, was, ok})
	}
	tx.staged[name] = s
	if ok {
		return
	}
	tx.order = append(tx.order, name)
	for dir := range above(name) {
		if tx.below[dir] == nil {
			tx.below[dir] = map[string]bool{}
		}
		tx.below[dir][name] = true
	}
}

// takeBack takes back what was staged since mark.
func (tx *Tx) takeBack(mark int) {
	for _, u := range slices.Backward(tx.undos[mark:]) {
		if u.ok {
			tx.staged[u.name] = u.was
			continue
		}
		delete(tx.staged, u.name)
		tx.order = tx.order[:len(tx.order)-1] // u.name was the last
		for dir := range above(u.name) {
			delete(tx.below[dir], u.name)
		}
	}
	tx.undos = tx.undos[:mark]
}

// above yields a name and the folders that it is in.
func above(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(name) && name != "." {
			name = path.Dir(name)
		}
	}
}

func (tx *Tx) fail(err error) {
	if tx.err == nil {
		tx.err = err
	}
}

// old is name as it stands before this transaction, the same at every call.
func (tx *Tx) old(name string) (version, error) {
	if tx.past != nil {
		if v, ok := tx.past.input[name]; ok {
			return v, nil
		}
	}
	if v, ok := tx.seen[name]; ok {
		return v, nil
	}
	if err := admit(name); err != nil {
		return version{}, err
	}
	v, err := tx.tree.version(name)
	if tx.tree.DryRun { // it only reads, and waits as a reader does
		for start := time.Now(); err == nil && !v.exists && tx.tree.saving(name, v, time.Since(start)); {
			time.Sleep(lookAgain)
			v, err = tx.tree.version(name)
		}
	}
	if err == nil && tx.tree.unsettled(name, v) {
		v, err = tx.wait(name, v)
	}
	if err != nil {
		return version{}, err
	}
	tx.tree.know(name, v)
	tx.seen[name] = v
	return v, nil
}

// A before is the tree without what a transaction stages.
type before struct{ tx *Tx }

func (b before) Read(name string) ([]byte, error) {
	v, ok := b.tx.seen[name]
	if b.tx.past != nil {
		if w, was := b.tx.past.input[name]; was {
			v, ok = w, true
		}
	}
	if !ok {
		return b.tx.tree.ReadUnsettled(name)
	}
	if !v.exists {
		return nil, notExist(name)
	}
	return v.data, nil
}

func (b before) Names(dir string) iter.Seq2[string, error] {
	standing := map[string]bool{}
	if b.tx.past != nil {
		for name, v := range b.tx.past.input {
			standing[name] = v.exists
		}
	}
	return overlay(b.tx.tree.Names(dir), dir, standing)
}

func notExist(name string) error {
	return &iofs.PathError{Op: "open", Path: name, Err: iofs.ErrNotExist}
}

// joinLines adds lines to the text of a JSONL file, never to its last line.
func joinLines(text, lines []byte) []byte {
	if n := len(text); n > 0 && text[n-1] != '\n' {
		return slices.Concat(text, []byte("\n"), lines)
	}
	return slices.Concat(text, lines)
}
