package hook

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// A receipt says what an installation made of a file, so that it can become again
// what it was. Receipts are kept with the user's own state, never in a project:
// what a stranger's project says must not be written anywhere.
type receipt struct {
	File  string   `json:"file"`           // absolute, with no link in it
	After string   `json:"after"`          // the hash of what was written
	New   bool     `json:"new,omitzero"`   // there was no file before
	Kept  bool     `json:"kept,omitzero"`  // what was written holds what somebody made of ours
	Made  []string `json:"made,omitempty"` // see piece
	Back  [][]undo `json:"back,omitempty"` // from what was written to what was there before

	// A receipt is noted before its file is written. Until that is done, what stands
	// there has this hash, and true of it is the receipt before.
	Was   string   `json:"was,omitzero"`
	Prior *receipt `json:"prior,omitempty"`
}

// receipt is what to note of an edit, together with what was noted before.
func (e *Edit) receipt() receipt {
	old := e.note
	n := receipt{
		File: e.real, After: sumOf(e.After), New: e.Before == nil || old.New, Kept: e.kept,
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

// is says whether text is what was written last.
func (r receipt) is(text []byte) bool { return r.File != "" && sumOf(text) == r.After }

// restored is what stood there before, where text is what was written last.
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

// effective is the receipt before, where what this one tells of was never written.
func (r receipt) effective(src []byte) receipt {
	if r.Was == "" || r.is(src) || r.Was != sumOf(src) {
		return r
	}
	if r.Prior == nil {
		return receipt{}
	}
	return *r.Prior
}

// settled is the receipt of a file that was written.
func (r receipt) settled() receipt {
	r.Was, r.Prior = "", nil
	return r
}

// known are the containers that were made; nil where that is not known.
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

// union is a list with what it has not of another.
func union(list, more []string) []string {
	list = slices.Clone(list)
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// sumOf is the hash of a file's text; "none" stands for no file.
func sumOf(data []byte) string {
	if data == nil {
		return "none"
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
