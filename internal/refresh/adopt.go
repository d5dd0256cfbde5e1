package refresh

import (
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/validate"
)

// adopt takes decisions that stand only in a view into the Ledger. It tells of those
// that must not be taken in: the Ledger had them, or they were altered.
func (r *round) adopt() error {
	var names []string
	var views [][]byte
	read := func(name string, shown func([]byte) ([][]byte, error)) {
		if src, err := r.tx.Read(name); err == nil {
			if raws, err := shown(src); err == nil {
				names, views = append(names, name), append(views, raws...)
			}
		}
	}
	read(fs.State, state.Shown)
	if id, err := session.Active(r.tx); err == nil && id != "" {
		if err := r.readable(session.HotContext(id)); err != nil {
			return err
		}
		read(session.HotContext(id), session.Shown)
	}
	only, err := ledger.OnlyShown(r.tx, views)
	if err != nil || len(only) == 0 {
		return err
	}
	indexed := ledger.Indexed(r.tree.Tree)
	had := func(id string) bool { return r.event.Recorded[id] || indexed(id) }
	lost, err := validate.NotToAdopt(r.tx, r.tree.Root(), names, had)
	if err != nil {
		r.tell(fmt.Sprintf("decisions that stand only in a view are not taken into the Ledger, for git does not say whether it had them: %v", err))
		return nil
	}
	r.refused = map[string]string{}
	for _, u := range lost {
		f := u.Finding
		r.refused[u.ID] = fmt.Sprintf("%s: %s [%s]; the copy in a view is not taken into the Ledger; %s", f.File, f.Message, f.Rule, f.Hint)
		r.tell(r.refused[u.ID])
	}
	adopted, err := ledger.Adopt(r.tx, r.home, views, func(id string) bool { return r.refused[id] != "" })
	r.out.Adopted = append(r.out.Adopted, adopted...)
	return err
}
