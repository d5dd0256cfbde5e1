package fs

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An AtticEntry is a file whose bytes are kept aside in `.local/`.
type AtticEntry struct {
	ID   string
	Name string    // the document that the bytes belong to; "" if unknown
	Cut  bool      // the middle of Name is left out because it is very long
	Kept string    // the path of the bytes; "" if they could not be kept
	Time time.Time // when the bytes were kept, UTC
	Why  string    // the reason, one sentence
	Size int64     // bytes
	Note bool      // the user need not do anything about it
	Ages bool      // the entry is removed after some time; see displaced.go
	Torn bool      // the bytes are the torn end of a file, not the whole file
}

// reasons holds, by folder, the reason for entries that have no Incident.
var reasons = map[string]string{
	atticDir:     "the bytes are live nowhere",
	recoveredDir: "the bytes are live nowhere",
	displacedDir: "forgemind wrote a newer version",
	trashDir:     "a command removed the file",
}

// Attic lists the bytes that are kept aside in `.local/`: first those that could not be
// merged, were not adopted, or were removed, then those that were replaced recently.
// Each part is sorted newest first.
func (t *Tree) Attic() ([]AtticEntry, error) {
	var all []AtticEntry
	var failed error
	for _, folder := range folders {
		found, err := t.atticOf(folder)
		all, failed = append(all, found...), errors.Join(failed, err)
	}
	slices.SortFunc(all, func(a, b AtticEntry) int {
		if a.Ages != b.Ages {
			return map[bool]int{true: 1, false: -1}[a.Ages]
		}
		return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(a.Kept, b.Kept), cmp.Compare(a.ID, b.ID))
	})
	return all, failed
}

// atticOf lists the entries of one folder; see Attic.
func (t *Tree) atticOf(folder string) (all []AtticEntry, failed error) {
	told, failed := t.incidents(folder)
	byKept := map[string]Incident{}
	for _, i := range told {
		if i.Kept == "" {
			all = append(all, AtticEntry{ID: i.ID(), Name: i.Name, Time: i.Time, Why: i.What, Note: i.Note})
		}
		byKept[i.Kept] = i
	}
	for dir, why := range reasons {
		d, err := t.openDir(LocalName(folder, dir))
		if isNotExist(err) {
			continue
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		files, err := d.Readdirnames(-1)
		d.Close()
		failed = errors.Join(failed, err)
		for _, file := range files {
			e, ok := t.atticEntry(d.name+"/"+file, why)
			if i, known := byKept[e.Kept]; ok && known {
				e.Name, e.Cut, e.Why, e.Note, e.Torn = i.Name, false, i.What, i.Note, i.What == tornEnd
			}
			if e.Ages = dir == displacedDir; ok {
				all = append(all, e)
			}
		}
	}
	return all, failed
}

// atticEntry reads the time and the document from the name of a kept file. It returns
// false if the file no longer exists.
func (t *Tree) atticEntry(where, why string) (AtticEntry, bool) {
	e := AtticEntry{ID: atticID(where), Kept: where, Why: why, Note: true}
	fi, err := t.root.Lstat(where)
	if err != nil {
		return e, false
	}
	e.Time, e.Size = fi.ModTime().UTC(), fi.Size()
	parts := strings.SplitN(path.Base(where), "-", 3)
	if len(parts) != 3 {
		return e, true
	}
	if at, err := strconv.ParseInt(parts[0], 16, 64); err == nil {
		if name := unflattenName(parts[2]); folderOf(name) == folderOf(where) {
			e.Name, e.Cut = name, strings.Contains(name, "…")
		}
		e.Time = time.Unix(0, at).UTC()
	}
	return e, true
}

// atticID returns the id of the bytes at the path where.
func atticID(where string) string {
	sum := sha256.Sum256([]byte(where))
	return "att-" + hex.EncodeToString(sum[:5])
}

// ID returns the id of the entry of [Tree.Attic] that holds the bytes of i.
func (i Incident) ID() string {
	return atticID(cmp.Or(i.Kept, i.Name+" "+i.Time.Format(time.RFC3339Nano)))
}

// An aside holds the arguments of Keep or KeepAlways.
type aside struct {
	name string
	data []byte
	why  string

	always bool // even if the transaction writes nothing
}

// Keep puts data, which belongs to the document name, into the attic before the
// transaction is published. Nothing is kept if the transaction writes nothing. The
// reason why is one sentence. Bytes of name that are already in the attic are not kept
// twice.
func (tx *Tx) Keep(name string, data []byte, why string) {
	tx.keep(aside{name: name, data: data, why: why})
}

// KeepAlways is Keep also for a transaction that writes nothing.
func (tx *Tx) KeepAlways(name string, data []byte, why string) {
	tx.keep(aside{name, data, why, true})
}

func (tx *Tx) keep(a aside) {
	if err := admitWrite(a.name); err != nil {
		tx.fail(err)
		return
	}
	tx.asides = append(tx.asides, a)
}

// keepAside puts the arguments of Keep into the attic.
func (h *lockedWriter) keepAside(all []aside, writes bool) error {
	for _, a := range all {
		if !writes && !a.always {
			continue
		}
		v := version{exists: true, data: a.data}
		if h.tree.inAttic(a.name, v) {
			continue
		}
		kept := h.aside(a.name, v)
		if kept == "" {
			return fmt.Errorf("%s: what is there could not be kept in %s", a.name, LocalName(folderOf(a.name), atticDir))
		}
		h.recordIncident(Incident{Time: h.tree.Now().UTC(), Name: a.name, Kept: kept, What: a.why, Note: true})
	}
	return nil
}

// inAttic reports whether the attic already has v as bytes of name.
func (t *Tree) inAttic(name string, v version) bool {
	d, err := t.openDir(LocalName(folderOf(name), atticDir))
	if err != nil {
		return false
	}
	defer d.Close()
	files, _ := d.Readdirnames(-1)
	return slices.ContainsFunc(files, func(file string) bool {
		if !strings.HasSuffix(file, "-"+flattenName(name)) {
			return false
		}
		fi, err := t.root.Lstat(d.name + "/" + file)
		if err != nil || fi.Size() != int64(len(v.data)) {
			return false
		}
		kept, err := t.version(d.name + "/" + file)
		return err == nil && same(kept, v)
	})
}

// RemoveKept deletes entries of the attic and the incidents that record them.
func (t *Tree) RemoveKept(ctx context.Context, entries []AtticEntry) error {
	if t.DryRun || len(entries) == 0 {
		return nil
	}
	h, err := t.takeTurn(ctx, time.Now().Add(patience))
	if err != nil {
		return err
	}
	defer h.end()
	gone := map[string]bool{}
	var failed error
	for _, e := range entries {
		if e.Kept != "" {
			if err := t.root.Remove(e.Kept); err != nil && !isNotExist(err) {
				failed = errors.Join(failed, named(e.Kept, err))
				continue
			}
		}
		gone[e.ID] = true
	}
	for _, folder := range folders {
		failed = errors.Join(failed, h.forgetIncidents(folder, gone))
	}
	return failed
}

// forgetIncidents drops the lines of incidents.jsonl whose bytes no longer exist.
func (h *lockedWriter) forgetIncidents(folder string, gone map[string]bool) error {
	name := LocalName(folder, incidentFile)
	v, err := h.tree.version(name)
	if err != nil || !v.exists {
		return err
	}
	var left []byte
	for line := range bytes.Lines(v.data) {
		var i Incident
		if json.Unmarshal(line, &i) == nil && i.Name != "" && (gone[i.ID()] || !h.tree.keeps(i)) {
			continue
		}
		left = append(left, line...)
	}
	if bytes.Equal(left, v.data) {
		return nil
	}
	return h.tree.createWhole(name, left, 0o600, replacing)
}
