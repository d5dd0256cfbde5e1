package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
)

// Every transaction masks what it stages. What a caller gives is masked before that
// where it is compared with what is there, makes a name, or is returned.

// mask masks the secrets in texts.
func (r *round) mask(texts ...*string) {
	for _, text := range texts {
		masked, kinds := secret.Mask(*text)
		*text = masked
		r.masked = append(r.masked, kinds...)
	}
}

// maskRecord masks the secrets in every text of a record. The record shares nothing
// with the caller's then.
func maskRecord[T any](r *round, record *T) error {
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

// tellMasked tells how many secrets were masked, and of which kinds.
func (r *round) tellMasked() {
	kinds := slices.Concat(r.masked, r.tx.Masked())
	n := len(kinds)
	slices.Sort(kinds)
	list := strings.Join(slices.Compact(kinds), ", ")
	switch n {
	case 0:
	case 1:
		r.tell("1 secret was masked: " + list)
	default:
		r.tell(fmt.Sprintf("%d secrets were masked: %s", n, list))
	}
}
