package brief

import (
	"slices"

	"github.com/forgemind/forgemind/schema"
)

// A chronicle is the decisions from the newest to the oldest, as far as there is
// room for them, and how many there are.
type chronicle struct {
	hold, reject []*schema.Decision // that hold; of these, those that rejected something
	tried        []succession       // that do not

	holding, rejected, superseded int
}

// A succession is a superseded decision, which is nil until it was found, and
// the one that superseded it.
type succession struct {
	id      string
	old, by *schema.Decision
}

// chronicle looks at every decision, and takes at most so many of each sort.
func (rec *Records) chronicle(most int) chronicle {
	var c chronicle
	all := rec.Standing.All()
	mine := func(d *schema.Decision) bool { return rec.Mine == nil || rec.Mine(d) }
	wanted := map[string]int{} // id of a superseded decision → its place in tried
	for i := range slices.Backward(all) {
		d := &all[i]
		_, superseded := rec.Standing.SupersededBy(d.ID)
		if len(c.tried) < most {
			for _, id := range d.Supersedes {
				if by, _ := rec.Standing.SupersededBy(id); by == d.ID {
					wanted[id] = len(c.tried)
					c.tried = append(c.tried, succession{id: id, by: d})
				}
			}
		}
		switch {
		case !mine(d):
		case superseded:
			c.superseded++
		default:
			if c.holding++; len(c.hold) < most {
				c.hold = append(c.hold, d)
			}
			if len(d.AlternativesRejected) > 0 {
				if c.rejected++; len(c.reject) < most {
					c.reject = append(c.reject, d)
				}
			}
		}
	}
	for i := range all {
		if at, known := wanted[all[i].ID]; known {
			c.tried[at].old = &all[i]
		}
	}
	c.tried = slices.DeleteFunc(c.tried, func(s succession) bool { return s.old == nil || !mine(s.old) })
	return c
}

// decisions are those that hold, the newest first.
func (c chronicle) decisions(cut cuts) (all []Item) {
	for _, d := range c.hold {
		text := plain(d.Decision, cut.text)
		if d.Rationale != "" && cut.why > 0 {
			text += " — because " + plain(d.Rationale, cut.why)
		}
		detected := ""
		if d.Origin == schema.OriginDetected {
			detected = "detected"
		}
		all = append(all, Item{ID: mark(d.ID), Date: day(d.Timestamp), Text: text, About: labels(detected)})
	}
	return all
}
