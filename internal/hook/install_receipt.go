package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// A receipt records how an installation changed a file, so that the change can be undone exactly.
// Receipts are in the user's state directory and never in a project, because a stranger's project
// must not decide what is written.
type receipt struct {
	File  string   `json:"file"`           // absolute path without symbolic links
	After string   `json:"after"`          // hash of what was written
	New   bool     `json:"new,omitzero"`   // the file did not exist before
	Made  []string `json:"made,omitempty"` // see piece
	Back  [][]undo `json:"back,omitempty"` // steps from what was written to the former contents

	// A receipt is stored before its file is written. Until then the file has this hash, and the former
	// receipt is valid.
	Was   string   `json:"was,omitzero"`
	Prior *receipt `json:"prior,omitempty"`
}

// receipt returns the receipt of an edit, which includes the former receipt.
func (e *Edit) receipt() receipt {
	old := e.note
	n := receipt{
		File: e.real, After: sumOf(e.After), New: e.Before == nil || old.New,
		Made: union(old.Made, e.made),
		Back: [][]undo{undoing(e.Before, e.After)},
		Was:  sumOf(e.Before),
	}
	if old.File != "" {
		old = old.settled()
		n.Prior = &old
	}
	if old.File != "" && old.After == sumOf(e.Before) {
		n.Back = append(n.Back, old.Back...)
	} else if old.File == "" {
		n.New = e.Before == nil
	}
	return n
}

// is reports whether text is what was written last.
func (r receipt) is(text []byte) bool { return r.File != "" && sumOf(text) == r.After }

// restored returns the former contents if text is what was written last.
func (r receipt) restored(written, text []byte) ([]byte, bool) {
	if len(r.Back) == 0 || !r.is(written) || string(text) != string(written) {
		return nil, false
	}
	for _, steps := range r.Back {
		var ok bool
		if text, ok = undone(text, steps); !ok {
			return nil, false
		}
	}
	if len(text) > 0 {
		return text, true
	}
	if r.New {
		return nil, true
	}
	return []byte{}, true
}

// effective returns the former receipt if the file of this one was never written.
func (r receipt) effective(src []byte) receipt {
	if r.Was == "" || r.is(src) || r.Was != sumOf(src) {
		return r
	}
	if r.Prior == nil {
		return receipt{}
	}
	return *r.Prior
}

// settled returns the receipt after its file was written.
func (r receipt) settled() receipt {
	r.Was, r.Prior = "", nil
	return r
}

// known returns the containers that were created, or nil if that is unknown.
func (r receipt) known() []string {
	if r.File == "" {
		return nil
	}
	made := append([]string{}, r.Made...)
	if r.New {
		made = append(made, "")
	}
	return made
}

// union returns list with the elements of more that it lacks at the end.
func union(list, more []string) []string {
	list = slices.Clone(list)
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// sumOf returns the hash of a file's contents, or "none" for no file.
func sumOf(data []byte) string {
	if data == nil {
		return "none"
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
