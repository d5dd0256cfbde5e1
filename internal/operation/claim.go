package operation

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// A Claiming is a request to hold a record, or to give it back.
type Claiming struct {
	Which   string        // the record, by its id or by unique text
	By      string        // who wants it
	Copy    string        // the working copy, if it is one of several; see schema.Claim
	For     time.Duration // how long
	Release bool          // give it back
	Local   bool          // no other working copies are asked

	record string // the Name of its file
}

// A Claimed is the result of a Claiming.
type Claimed struct {
	ID     string
	Title  string
	Claim  schema.Claim
	Former schema.Claim // the claim that was in force or ran out before; zero if there was none
	File   string       // the Name of the change; "" if there is none to be made
}

// A HeldError reports that somebody else holds a record.
type HeldError struct {
	Kind, ID string
	Claim    schema.Claim
	SameName bool // it is somebody of the same name, in another working copy
}

func (e *HeldError) Error() string {
	where := ""
	if e.SameName {
		where = " in another working copy"
	}
	return fmt.Sprintf("%s %s is held by %.80s%s until %s (claim %d)", e.Kind, e.ID, e.Claim.By, where, e.Claim.Until, e.Claim.Fence)
}

// PrepareClaim finds the record that c.Which names: a pending action, or a thread that is not archived.
// One that stands only in a view gets a record. It returns c with what is missing in it.
func PrepareClaim(ctx context.Context, t *engine.Tree, k records.Kind, c Claiming) (Claiming, error) {
	_, err := t.Change(ctx, c.By, func(w *engine.WorkingSet) error {
		c.By = w.Actor()
		if k.Name == records.Thread.Name {
			record, err := w.ThreadRecord(c.Which)
			c.record = record.Name
			return err
		}
		it, err := find(w, k, c.Which)
		if err != nil {
			return err
		}
		record, err := w.RecordOf(k, it)
		c.record = record.Name
		return err
	})
	return c, err
}

// Next returns what c comes to at a time, and the text of the change to be made. The error is a
// *HeldError if somebody else holds the record.
func (c Claiming) Next(r fs.Reader, now time.Time) (Claimed, []byte, error) {
	record, err := records.At(r, c.record)
	if err != nil {
		return Claimed{}, nil, err
	}
	done := Claimed{ID: record.ID, Title: record.Text()}
	if former := record.Claim(); former != nil {
		done.Former = *former
	}
	mine, held := done.Former.IsOf(c.By, c.Copy), done.Former.HeldAt(now)
	if held && !mine {
		return done, nil, &HeldError{record.Kind.Name, record.ID, done.Former, done.Former.By == c.By}
	}
	what := "claimed"
	switch {
	case c.Release && (done.Former.Until == "" || !mine): // nothing to give back
		done.Claim = done.Former
		return done, nil, nil
	case c.Release:
		what = "released"
		done.Claim = done.Former
		done.Claim.Until = ""
	default:
		done.Claim = schema.Claim{By: c.By, Copy: c.Copy, Until: schema.FormatTime(now.Add(c.For)), Fence: done.Former.Fence, Local: c.Local}
		if !held || done.Former.Local != c.Local {
			done.Claim.Fence++
		}
	}
	change := records.Change{What: what, At: schema.FormatTime(now), By: c.By}
	name, text, err := records.NewChange(record, change, map[string]any{records.ClaimMember: done.Claim})
	done.File = name
	return done, text, err
}

// ClaimHere makes the change that c comes to, without asking other working copies.
func ClaimHere(ctx context.Context, t *engine.Tree, c Claiming) (Claimed, error) {
	var done Claimed
	_, err := t.Transaction(ctx, func(tx *fs.Tx) error {
		var text []byte
		var err error
		if done, text, err = c.Next(tx, t.Edge().Now()); err != nil || done.File == "" {
			return err
		}
		if _, err := tx.Read(done.File); !errors.Is(err, iofs.ErrNotExist) {
			return err
		}
		tx.Write(done.File, text)
		return nil
	})
	if err == nil {
		_, err = t.RenderViews(ctx)
	}
	return done, err
}
