package fs

import (
	"bytes"
	"fmt"
	iofs "io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/secret"
)

// maxRecord is the maximum length of a JSONL record, in bytes.
const maxRecord = 1 << 20

// A Change describes how a transaction changed one name. Before is nil if the name was
// created, After if it was removed. If records were only appended, both are nil and
// Appended holds the lines, each with its newline.
type Change struct {
	Name          string
	Before, After []byte
	Appended      []byte
}

// A Tx is a running transaction: it reads staged content, else the content on disk, and
// stages changes. If the system did not return a document that it read (see IsUnread),
// the staged changes may be based on half of the tree, and the transaction is not
// published, even if the edit ignored the error. Files below `.local/` and in the cache
// are not documents: their readers must handle such errors themselves. A Tx must be
// used by one goroutine only.
type Tx struct {
	tree   *Tree
	seen   map[string]version // contents that the edit read from disk
	past   *attempts
	staged map[string]stage
	order  []string
	wait   func(name string, v version) (version, error) // waits for an unfinished save
	jots   map[string][]byte                             // see WriteLocal
	asides []aside                                       // see Keep
	err    error                                         // the first invalid name or record
	missed error                                         // the first error for which Unread is true
	masker secret.Masker                                 // masks what is staged
	known  map[string][]byte                             // see Assume
}

// A stage is the staged change of one name. It is never modified, only replaced.
type stage struct {
	kind kind
	data []byte // replace: the new bytes; add: the lines
	back bool   // replace: the bytes were there before
	view viewKind
}

type kind int

const (
	replace kind = iota
	remove
	add
)

// Read returns the bytes at name including staged changes; see Reader. They must not be
// changed. Read waits while an editor is saving the file.
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
		tx.recordUnread(name, err)
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

// Names yields the names including staged changes; see Reader.
func (tx *Tx) Names(dir string) iter.Seq2[string, error] {
	standing := tx.namesBelow(dir)
	return func(yield func(string, error) bool) {
		for name, err := range overlay(tx.tree.Names(dir), dir, standing) {
			tx.recordUnread(name, err)
			if !yield(name, err) {
				return
			}
		}
	}
}

// namesBelow returns the names below dir that the transaction stages or has published.
// The value is true if the name exists after it.
func (tx *Tx) namesBelow(dir string) map[string]bool {
	standing := map[string]bool{}
	if tx.past != nil {
		for name, v := range tx.past.input {
			standing[name] = v.exists
		}
	}
	for name, s := range tx.staged { // the map may hold many names of other directories
		if dir == "." || strings.HasPrefix(name, dir) {
			standing[name] = s.kind != remove
		}
	}
	return standing
}

// Assume tells the transaction the content of name, for callers that have it from an
// index and did not call Read: a secret in it is not new; see Masked.
func (tx *Tx) Assume(name string, data []byte) {
	if tx.known == nil {
		tx.known = map[string][]byte{}
	}
	tx.known[name] = data
}

// Tree returns the tree that the transaction changes, without staged changes.
func (tx *Tx) Tree() *Tree { return tx.tree }

// recordUnread records that a document could not be read.
func (tx *Tx) recordUnread(name string, err error) {
	if tx.missed == nil && IsUnread(err) && !IsLocal(name) && !strings.HasPrefix(name+"/", Cache+"/") {
		tx.missed = err
	}
}

// because returns the cause of the failure err of an edit: an edit that could not read
// a document may have taken it for missing.
func (tx *Tx) because(err error) error {
	if tx.missed == nil || IsUnread(err) {
		return err
	}
	return tx.missed
}

// Write stages new bytes for name, with new secrets masked; see Masked. Bytes equal to
// those read are not a change.
func (tx *Tx) Write(name string, data []byte) {
	if data == nil {
		data = []byte{}
	}
	tx.put(name, stage{kind: replace, data: tx.mask(name, data)})
}

// Restore is Write of bytes that name had before, even if they are invalid: Tree.Check
// is not called for it, and nothing is masked.
func (tx *Tx) Restore(name string, data []byte) {
	tx.put(name, stage{kind: replace, data: append([]byte{}, data...), back: true})
}

// Remove stages the removal of name. Its bytes go to `.local/trash/`.
func (tx *Tx) Remove(name string) { tx.put(name, stage{kind: remove}) }

// Append stages one JSONL record (without its newline, 1 MiB at most) for the end of
// name, with new secrets masked.
func (tx *Tx) Append(name string, record []byte) {
	switch {
	case len(record) > maxRecord:
		tx.fail(fmt.Errorf("%s: %w: a record of %d bytes, at most %d", name, ErrTooLarge, len(record), maxRecord))
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
		// No other slice uses the capacity of s.data: Try has dropped longer ones.
		tx.put(name, stage{kind: add, data: append(s.data, line...)})
	}
}

// WriteLocal stages a small file of `.local/` that may be lost: it is written under the lock,
// after the staged changes and only if there are any, and is not made durable. Use it
// for counters, which are not worth a durable write.
func (tx *Tx) WriteLocal(name string, data []byte) {
	if tx.jots == nil {
		tx.jots = map[string][]byte{}
	}
	tx.jots[name] = data
}

// Try runs fn, and drops its staged changes if it fails or could not read a document.
func (tx *Tx) Try(fn func(*Tx) error) error {
	staged, order, jots, failed, missed := maps.Clone(tx.staged), len(tx.order), maps.Clone(tx.jots), tx.err, tx.missed
	asides := len(tx.asides)
	tx.missed = nil
	err := fn(tx)
	if err == nil {
		err = tx.err
	}
	if err = tx.because(err); err != nil {
		tx.staged, tx.order, tx.jots, tx.err, tx.asides = staged, tx.order[:order], jots, failed, tx.asides[:asides]
	}
	tx.missed = missed
	return err
}

func (tx *Tx) put(name string, s stage) {
	if err := admitWrite(name); err != nil {
		tx.fail(err)
		return
	}
	if _, ok := tx.staged[name]; !ok {
		tx.order = append(tx.order, name)
	}
	tx.staged[name] = s
}

func (tx *Tx) fail(err error) {
	if tx.err == nil {
		tx.err = err
	}
}

// old returns the content of name before this transaction. Each call returns the same
// content.
func (tx *Tx) old(name string) (version, error) {
	if tx.past != nil {
		if v, ok := tx.past.input[name]; ok {
			return v, nil
		}
	}
	if v, ok := tx.seen[name]; ok {
		return v, nil
	}
	if err := checkName(name); err != nil {
		return version{}, err
	}
	v, err := tx.tree.version(name)
	if tx.tree.DryRun { // a dry run only reads, and waits as a reader does
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

// A before is the tree without the staged changes of a transaction.
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

// joinLines appends lines to the text of a JSONL file. It adds a missing newline first.
func joinLines(text, lines []byte) []byte {
	if n := len(text); n > 0 && text[n-1] != '\n' {
		return slices.Concat(text, []byte("\n"), lines)
	}
	return slices.Concat(text, lines)
}
