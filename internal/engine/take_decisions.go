package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

// An entry is a decision that stands only in a view.
type entry struct {
	records.Imported
	view string
}

// onlyInViews returns the decisions that stand only in views, each once. A view that is against its
// schema has none, until it is mended.
func (r *round) onlyInViews() (all []entry, err error) {
	im := records.NewImporter(r.tx)
	for _, name := range r.viewNames() {
		if r.unreadable[name] {
			continue
		}
		if name != fs.State {
			if err := r.readable(name); err != nil {
				return nil, err
			}
		}
		src, err := r.maybe(name)
		if err != nil {
			return nil, err
		}
		shown, err := views.Import(im, name, src)
		if err != nil {
			return nil, err
		}
		for _, d := range shown {
			if d.IsNew() {
				all = append(all, entry{d, name})
			}
		}
	}
	return all, nil
}

// isEdited reports whether somebody edited a view since it was rendered, as far as that is known.
func (r *round) isEdited(view string) bool {
	base := r.bases[view]
	return base != nil && !bytes.Equal(base, r.seen[view])
}

// writtenByHand returns the ids of those of entries that somebody wrote into a view since it was
// rendered. What git brought is not among them, nor is anything where nobody looked before.
func (r *round) writtenByHand(all []entry) map[string]bool {
	ids := map[string]bool{}
	for _, name := range r.viewNames() {
		if !r.acted.Known() || !r.isEdited(name) {
			continue
		}
		former := r.idsIn(name, r.bases[name])
		var news []string
		for _, e := range all {
			if e.view == name && !former[e.ID] {
				news = append(news, e.ID)
			}
		}
		if len(news) == 0 {
			continue
		}
		held, err := r.committed([]string{name})
		if err != nil { // if git does not say, it may have brought them
			continue
		}
		former = r.idsIn(name, held[name])
		for _, id := range news {
			ids[id] = !former[id]
		}
	}
	return ids
}

// idsIn returns the ids of the decisions that the view called name shows as src.
func (r *round) idsIn(name string, src []byte) map[string]bool {
	ids := map[string]bool{}
	shown, _ := views.Import(records.NewImporter(r.tx), name, src) // what cannot be looked up counts as new
	for _, d := range shown {
		ids[d.ID] = true
	}
	return ids
}

// takeDecisions records the decisions that stand only in a view, word for word. Those that somebody wrote
// there since it was rendered are new to the look; a watcher records no others, for git may have brought
// them. It tells of those that must not be recorded: they were before, or were altered. While git is in
// the middle of something they wait: what it writes may be gone again.
func (r *round) takeDecisions() error {
	edited := slices.DeleteFunc(r.viewNames(), func(name string) bool { return !r.isEdited(name) })
	if r.looks && len(edited) == 0 {
		return nil
	}
	for _, name := range edited {
		r.tellAltered(name)
	}
	entries, err := r.onlyInViews()
	if err != nil || len(entries) == 0 || git.Find(r.tree.Root()).Busy() != "" {
		return err
	}
	written := r.writtenByHand(entries)
	if r.looks {
		entries = slices.DeleteFunc(entries, func(e entry) bool { return !written[e.ID] })
	}
	if len(entries) == 0 || r.refuse() != nil {
		return nil
	}
	for _, e := range entries {
		if _, refused := r.refused[e.ID]; refused {
			continue
		}
		if _, err := r.add(records.Decision, e.ID, json.RawMessage(e.Text)); err != nil {
			return err
		}
		r.out.Adopted = append(r.out.Adopted, e.ID)
		if written[e.ID] {
			r.inView = append(r.inView, e.ID)
		} else {
			r.acted.Add(e.ID) // views show it
		}
	}
	if len(r.inView) > mostCauses {
		r.tellBatch(len(r.inView))
	}
	return nil
}

// tellAltered tells of the decisions whose words somebody edited in a view: they stay as they were recorded. A watcher
// leaves that to the next command.
func (r *round) tellAltered(view string) {
	if r.looks {
		return
	}
	words := func(src []byte) map[string]string {
		said := map[string]string{}
		shown, _ := views.Import(records.NewImporter(r.tx), view, src) // what cannot be looked up is told of later
		for _, d := range shown {
			if d.Recorded {
				said[d.ID] = d.Decision.Decision
			}
		}
		return said
	}
	before, now := words(r.bases[view]), words(r.seen[view])
	for _, id := range slices.Sorted(maps.Keys(now)) {
		if former, ok := before[id]; ok && former != now[id] {
			r.tell(fmt.Sprintf("%s says %.200q of %s, which stays as it was recorded; 'forgemind decision supersede %s TEXT' records what holds now", view, now[id], id, id))
		}
	}
}

// refuse notes which decisions of views must not be taken into the Ledger, and tells why: it had
// them, and nobody knows whether somebody altered the copy. Those that git has elsewhere, as on another
// branch, are no loss, and nobody is told.
func (r *round) refuse() error {
	wrong, err := validate.NotToAdopt(r.tx, r.tree.Root(), r.viewNames(), r.acted.Has)
	if err != nil {
		r.tell(fmt.Sprintf("decisions that stand only in a view are not taken into the Ledger, for git does not say whether it had them: %v", err))
		return err
	}
	r.refused = map[string]string{}
	for _, u := range wrong {
		if u.Elsewhere {
			r.refused[u.ID] = ""
			continue
		}
		f := u.Finding
		r.refused[u.ID] = fmt.Sprintf("%s: %s [%s]; the copy in a view is not taken into the Ledger; %s", f.File, f.Message, f.Rule, f.Hint)
		r.tell(r.refused[u.ID])
	}
	return nil
}
