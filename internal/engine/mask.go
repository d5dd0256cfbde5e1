package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
)

// Every transaction masks what it stages. A caller's text is masked earlier if it is
// compared with stored text, determines a name, or is returned.

// Mask masks the secrets in texts.
func (r *WorkingSet) Mask(texts ...*string) {
	for _, text := range texts {
		masked, kinds := secret.Mask(*text)
		*text = masked
		r.masked = append(r.masked, kinds...)
	}
}

// withoutSecrets returns a user's text with its secrets masked.
func (r *WorkingSet) withoutSecrets(src []byte) []byte {
	text := string(src)
	r.Mask(&text)
	return []byte(text)
}

// MaskRecord masks the secrets in every text of a record. Afterwards the record shares
// no memory with the caller's.
func MaskRecord[T any](r *WorkingSet, record *T) error {
	src, err := jsonedit.Value(*record)
	if err != nil {
		return err
	}
	src, kinds := secret.MaskJSON(src)
	if len(kinds) == 0 {
		return nil
	}
	var masked T
	if err := jsonedit.Decode(src, &masked); err != nil {
		return err
	}
	*record = masked
	r.masked = append(r.masked, kinds...)
	return nil
}

// tellMasked adds a note with the number and the kinds of the masked secrets.
func (r *WorkingSet) tellMasked() {
	kinds := slices.Concat(r.masked, r.tx.Masked())
	n := len(kinds)
	slices.Sort(kinds)
	list := strings.Join(slices.Compact(kinds), ", ")
	switch n {
	case 0:
	case 1:
		r.addNote("1 secret was masked: " + list)
	default:
		r.addNote(fmt.Sprintf("%d secrets were masked: %s", n, list))
	}
}
