package fs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strconv"
)

// A transaction of several names is a directory below `.local/txn/` with the numbered
// staged files and a manifest. The transaction is committed once the manifest is called
// COMMIT. If the process is killed after that, the next holder of the lock finishes it.
const (
	manifestFile = "manifest"
	commitFile   = "COMMIT"
)

type manifest struct {
	Supersedes string  `json:"supersedes,omitempty"` // the transaction that this one replaces
	Entries    []entry `json:"entries"`
}

// An entry describes one name of a manifest. Over and Data are the sums of the contents
// before and after.
type entry struct {
	Name   string `json:"name"`
	Do     string `json:"do"` // replace, remove or append
	File   string `json:"file"`
	Over   string `json:"over,omitempty"`
	Data   string `json:"data,omitempty"`
	Mode   uint32 `json:"mode,omitempty"`
	Offset int64  `json:"offset,omitempty"` // where the appended lines begin
}

// doing holds the values of entry.Do.
var doing = map[kind]string{replace: "replace", remove: "remove", add: "append"}

// An unfinishedError reports a failure after the transaction was committed.
type unfinishedError struct{ err error }

func (e *unfinishedError) Error() string {
	return fmt.Sprintf("recorded, and to be finished by the next write: %v", e.err)
}
func (e *unfinishedError) Unwrap() error { return e.err }

// commit publishes several writes as one transaction.
func (h *lockedWriter) commit(ctx context.Context, writes []write) (map[string]version, error) {
	home := LocalName(h.locks[0].folder, txnDir, randomID())
	m := manifest{Supersedes: path.Base(h.previous)}
	if h.previous == "" {
		m.Supersedes = ""
	}
	err := h.record(home, &m, writes)
	if err != nil {
		h.drop(home)
		return nil, err
	}
	if h.previous != "" {
		h.keepReplaced()
		h.drop(h.previous)
		h.previous = ""
	}
	conflicts, err := h.rollOut(ctx, home, m, writes)
	if err != nil {
		return nil, &unfinishedError{err}
	}
	if len(conflicts) > 0 {
		h.previous = home
		return conflicts, nil
	}
	h.keepReplaced()
	h.drop(home)
	return nil, nil
}

// record writes the transaction to disk, durably, and checks a last time that no name
// changed since the edit read it.
func (h *lockedWriter) record(home string, m *manifest, writes []write) error {
	d, err := h.dir(home)
	if err != nil {
		return err
	}
	for i := range writes {
		w := &writes[i]
		e := entry{Name: w.name, Do: doing[w.kind], File: strconv.Itoa(i), Over: w.over.sum(), Mode: uint32(w.mode)}
		if w.kind != remove {
			if _, err := h.dir(path.Dir(w.name)); err != nil {
				return err
			}
		}
		if w.kind == add {
			if e.Offset, w.data, err = h.endOf(*w); err != nil {
				return err
			}
			e.Over = ""
		}
		if w.kind != remove {
			e.Data = version{exists: true, data: w.data}.sum()
			if err := h.tree.stageFile(d, e.File, w.data, w.mode); err != nil {
				return err
			}
		}
		m.Entries = append(m.Entries, e)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := h.tree.stageFile(d, manifestFile, append(text, '\n'), 0o600); err != nil {
		return err
	}
	for _, w := range writes {
		if w.kind != add {
			if err := h.unchanged(w); err != nil {
				return err
			}
		}
	}
	h.tree.step("compared", home)
	if err := h.tree.move(d, manifestFile, d, commitFile, replacing); err != nil {
		return err
	}
	if err := syncDir(d.File); err != nil {
		return fmt.Errorf("sync %s: %w", home, err)
	}
	return nil
}

// rollOut publishes a recorded transaction. JSONL records are appended last, and only
// if no other save was displaced, because an append cannot be undone.
func (h *lockedWriter) rollOut(ctx context.Context, home string, m manifest, writes []write) (map[string]version, error) {
	d, err := h.dir(home)
	if err != nil {
		return nil, err
	}
	conflicts := map[string]version{}
	for i, w := range writes {
		switch w.kind {
		case replace:
			err = h.landAnyway(ctx, w, d, m.Entries[i].File, conflicts)
		case remove:
			err = h.takeAnyway(w, conflicts)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(conflicts) == 0 {
		for i, w := range writes {
			if w.kind == add {
				if err := h.appendAt(w.name, m.Entries[i].Offset, w.data); err != nil {
					return nil, err
				}
			}
		}
	}
	synced := map[string]bool{}
	for _, w := range writes {
		if parent := path.Dir(w.name); !synced[parent] {
			synced[parent] = true
			if err := h.sync(w.name); err != nil {
				return nil, err
			}
		}
		h.remember(w, len(conflicts) == 0)
	}
	return conflicts, nil
}

// landAnyway is renameStaged for a committed transaction: a name that vanished or appeared
// since the last check is a conflict too.
func (h *lockedWriter) landAnyway(ctx context.Context, w write, d *dir, file string, conflicts map[string]version) error {
	try := w
	for range rounds {
		came, err := h.renameStaged(try, d, file)
		if errors.Is(err, errChanged) {
			if try.over, err = h.tree.version(w.name); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		if !came && !same(try.over, w.over) {
			conflicts[w.name] = try.over
		}
		return h.checkDisplaced(ctx, w, came, conflicts)
	}
	return fmt.Errorf("%s: %w", w.name, errChanged)
}

// takeAnyway removes the file at w.name, whatever its content is.
func (h *lockedWriter) takeAnyway(w write, conflicts map[string]version) error {
	for range rounds {
		now, err := h.tree.version(w.name)
		if err != nil || !now.exists {
			return err
		}
		if !same(now, w.over) {
			conflicts[w.name] = now
			w.over = now
		}
		if err := h.take(w); !errors.Is(err, errChanged) {
			return err
		}
	}
	return fmt.Errorf("%s: %w", w.name, errChanged)
}

// drop removes a transaction's directory. It removes the manifest first, so that the
// transaction no longer counts as committed.
func (h *lockedWriter) drop(home string) {
	if d, ok := h.dirs[home]; ok {
		d.Close()
		delete(h.dirs, home)
	}
	h.tree.root.Remove(home + "/" + commitFile)
	h.tree.root.RemoveAll(home)
}
