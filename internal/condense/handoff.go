package condense

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// Open is the status of a handoff that nobody archived.
const Open = "open"

// A Handoff is the result of a task, and where it stands.
type Handoff struct {
	schema.Handoff
	File   string         `json:"file"` // the Name of its record
	folded records.Record // with its changes
}

// A Settled is a handoff that is archived already.
type Settled struct{ Handoff Handoff }

func (e *Settled) Error() string {
	return fmt.Sprintf("handoff %s is archived already", e.Handoff.ID)
}

// Handoffs returns all handoffs in order of time, and what could not be read.
func Handoffs(r fs.Reader) (all []Handoff, faults []Fault) {
	found, unread := records.All(r, records.Handoff)
	for _, f := range unread {
		faults = append(faults, Fault{Name: f.Name, Err: f.Err})
	}
	for _, folded := range found {
		h := Handoff{File: folded.Name, folded: folded}
		if err := folded.Decode(&h.Handoff); err != nil {
			faults = append(faults, Fault{Name: folded.Name, Err: err})
			continue
		}
		h.ID = cmp.Or(folded.Base.Text("id"), h.ID) // older files are called by the task
		h.Status = cmp.Or(h.Status, Open)
		h.Results = folded.Members["results"] // laid out as it stands there
		all = append(all, h)
	}
	slices.SortStableFunc(all, func(a, b Handoff) int { return momentOf(a.Created).Compare(momentOf(b.Created)) })
	return all, faults
}

// AddHandoff stages a new handoff: h without an id gets one, and masked are the
// kinds of the secrets that were masked in it. Its results are JSON of any kind, or none.
func AddHandoff(tx *fs.Tx, home string, h schema.Handoff, random io.Reader) (made Handoff, masked []string, err error) {
	h.Task = single(h.Task)
	if h.Task == "" {
		return made, nil, errors.New("the task says nothing")
	}
	if h.ID == "" {
		all, _ := Handoffs(tx)
		taken := func(id string) bool { return slices.ContainsFunc(all, func(h Handoff) bool { return h.ID == id }) }
		if h.ID, err = schema.NewID("handoff-", random, taken); err != nil {
			return made, nil, err
		}
	}
	h.Status = cmp.Or(h.Status, Open)
	for _, text := range []*string{&h.Task, &h.Summary} {
		var kinds []string
		*text, kinds = secret.Mask(strings.ToValidUTF8(*text, "\uFFFD"))
		masked = append(masked, kinds...)
	}
	if len(h.Results) == 0 {
		h.Results = nil // empty is no JSON
	} else if _, err := jsonedit.Parse(h.Results); err != nil {
		return made, nil, fmt.Errorf("the results: %w", err)
	}
	if h.Results != nil {
		var kinds []string
		h.Results, kinds = secret.MaskJSON(h.Results)
		masked = append(masked, kinds...)
	}
	if _, err := records.Handoff.In(home).Add(tx, h.ID, h); err != nil {
		return made, nil, err
	}
	return Handoff{Handoff: h, File: home + "/" + fs.HandoffsDir + "/" + h.ID + ".json"}, masked, nil
}

// ArchiveHandoff stages that the handoff is done with which the id, or unique text
// of the task, names: a change beside its file. at is now, by is who says so. The
// error is a *session.Unknown, a *session.Ambiguous or a *Settled.
func ArchiveHandoff(tx *fs.Tx, which, at, by string) (Handoff, error) {
	all, _ := Handoffs(tx)
	i, err := session.Find("handoff", which, all, func(h Handoff) (id, text string) { return h.ID, h.Task })
	if err != nil {
		return Handoff{}, err
	}
	h := all[i]
	if h.Status == Archived {
		return h, &Settled{h}
	}
	h.Status = Archived
	_, err = h.folded.Change(tx, records.Change{What: Archived, At: at, By: by}, map[string]any{"status": Archived})
	return h, err
}
