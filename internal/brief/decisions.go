package brief

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// A chronicle holds decisions, the newest first, up to the limit of each list, and their
// numbers.
type chronicle struct {
	hold, reject []*schema.Decision // in force; of these, those that rejected an alternative
	tried        []succession       // superseded ones

	holding, rejected, superseded int
}

// A succession is a superseded decision, nil until it is found, and the one that superseded
// it.
type succession struct {
	id      string
	old, by *schema.Decision
}

// chronicle reads every decision, and keeps at most most of each sort.
func (rec *Records) chronicle(most int) chronicle {
	var c chronicle
	all := rec.Standing.All()
	mine := func(d *schema.Decision) bool { return rec.Mine == nil || rec.Mine(d) }
	wanted := map[string]int{} // id of a superseded decision → its index in tried
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

// decisions returns the decisions in force, the newest first.
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

// deadEnds returns the approaches that were abandoned, the latest first: in turns superseded
// decisions, rejected alternatives of decisions in force, and abandoned goals and layers.
func (rec *Records) deadEnds(c chronicle, cut cuts, most int) (all []Item, total int) {
	abandoned := rec.abandoned(cut)
	for i := 0; i < max(len(c.tried), len(c.reject), len(abandoned)) && len(all) < most; i++ {
		if i < len(c.tried) {
			all = append(all, rec.tried(c.tried[i], cut))
		}
		if i < len(c.reject) {
			all = append(all, rejected(c.reject[i], cut))
		}
		if i < len(abandoned) {
			all = append(all, abandoned[i])
		}
	}
	return all, len(abandoned) + c.superseded + c.rejected
}

// GivenUp returns the abandoned approaches, as in DeadEnds of a Brief: at most most items,
// and their total number. It leaves out rejected alternatives, which are shown with their
// decisions.
func (rec *Records) GivenUp(most int) (all []Item, total int) {
	c := rec.chronicle(most)
	total = c.superseded
	c.reject, c.rejected = nil, 0
	all, _ = rec.deadEnds(c, cutsFor(DefaultTokens), most)
	return all, total + len(rec.abandoned(cutsFor(DefaultTokens)))
}

// rejected returns the rejected alternatives of a decision.
func rejected(d *schema.Decision, cut cuts) Item {
	var texts []string
	for _, text := range d.AlternativesRejected[:min(len(d.AlternativesRejected), 5)] {
		texts = append(texts, quoted(text, cut.short))
	}
	return Item{ID: mark(d.ID), Date: day(d.Timestamp), Text: "rejected " + strings.Join(texts, ", ") + " in favor of " + quoted(d.Decision, cut.short)}
}

// tried returns the item of a superseded decision: the decision that replaced it, and the one
// in force now.
func (rec *Records) tried(s succession, cut cuts) Item {
	text := "tried " + quoted(s.old.Decision, cut.short) + ", replaced by " + mark(s.by.ID) + " " + quoted(s.by.Decision, cut.short) + " on " + day(s.by.Timestamp)
	holds := s.by.ID
	for range rec.Decisions {
		next, superseded := rec.Standing.SupersededBy(holds)
		if !superseded {
			break
		}
		holds = next
	}
	if holds != s.by.ID {
		text += ", by now by " + mark(holds)
	}
	return Item{ID: mark(s.old.ID), Date: day(s.old.Timestamp), Text: text}
}
