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

// Open is the status of a handoff that is not archived.
const Open = "open"

// A Handoff is the result of a task, with its place in the tree.
type Handoff struct {
	schema.Handoff
	File   string         `json:"file"` // name of its record
	folded records.Record // the record with its changes
}

// A SettledError reports that a handoff is archived already.
type SettledError struct{ Handoff Handoff }

func (e *SettledError) Error() string {
	return fmt.Sprintf("handoff %s is archived already", e.Handoff.ID)
}

// Handoffs returns all handoffs sorted by time, and a fault for each file that could not be read.
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
		h.ID = cmp.Or(folded.Base.Text("id"), h.ID) // older files are named after the task
		h.Status = cmp.Or(h.Status, Open)
		h.Results = folded.Members["results"] // with the layout of the file
		all = append(all, h)
	}
	slices.SortStableFunc(all, func(a, b Handoff) int { return momentOf(a.Created).Compare(momentOf(b.Created)) })
	return all, faults
}

// AddHandoff stages a new handoff and gives it an id if h has none. The results of h are any JSON
// or none. The result masked has the kinds of the secrets that were masked.
func AddHandoff(tx *fs.Tx, home string, h schema.Handoff, random io.Reader) (made Handoff, masked []string, err error) {
	h.Task = single(h.Task)
	if h.Task == "" {
		return made, nil, errors.New("the task is empty")
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
		h.Results = nil // empty results are not valid JSON
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

// ArchiveHandoff stages a change that archives the handoff with the id which, or with a task that
// contains which. The arguments at and by are the time and the author of the change. The error can
// be a *session.UnknownError, a *session.AmbiguousError or a *SettledError.
func ArchiveHandoff(tx *fs.Tx, which, at, by string) (Handoff, error) {
	all, _ := Handoffs(tx)
	i, err := session.Find("handoff", which, all, func(h Handoff) (id, text string) { return h.ID, h.Task })
	if err != nil {
		return Handoff{}, err
	}
	h := all[i]
	if h.Status == Archived {
		return h, &SettledError{h}
	}
	h.Status = Archived
	_, err = h.folded.Change(tx, records.Change{What: Archived, At: at, By: by}, map[string]any{"status": Archived})
	return h, err
}
