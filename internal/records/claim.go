package records

import (
	"cmp"
	"encoding/json"
	"fmt"
	iofs "io/fs"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// ClaimMember is the name of the member with the claim of a record.
const ClaimMember = "claim"

// Claim returns the last claim of the record, nil if it was never claimed.
func (r Record) Claim() *schema.Claim { return claimIn(r.Members[ClaimMember]) }

func claimIn(src json.RawMessage) *schema.Claim {
	var c *schema.Claim
	if len(src) == 0 || jsonedit.Decode(src, &c) != nil {
		return nil
	}
	return c
}

// compareClaims orders concurrent claims: those that other working copies were asked about follow
// the others, and the higher number follows the lower one.
func compareClaims(a, b json.RawMessage) int {
	order := func(src json.RawMessage) (asked, fence int) {
		c := claimIn(src)
		switch {
		case c == nil:
			return -1, 0
		case c.Local:
			return 0, int(c.Fence)
		}
		return 1, int(c.Fence)
	}
	askedA, fenceA := order(a)
	askedB, fenceB := order(b)
	return cmp.Or(cmp.Compare(askedA, askedB), cmp.Compare(fenceA, fenceB))
}

// At returns the record with the file called name. The error is io/fs.ErrNotExist if there is none.
func At(r fs.Reader, name string) (Record, error) {
	file, ok := FileOf(name)
	if !ok {
		return Record{}, fmt.Errorf("%s: %w", name, iofs.ErrNotExist)
	}
	return file.Folder.Get(r, file.Record)
}
