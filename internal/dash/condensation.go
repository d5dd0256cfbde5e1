package dash

import (
	"path"
	"time"

	"github.com/forgemind/forgemind/internal/condense"
)

// A condensation holds the contents of a condensation's file.
type condensation struct {
	Name         string   `json:"id"` // name of the file
	Topic        string   `json:"topic"`
	Date         string   `json:"date,omitempty"` // yyyy-mm-dd
	Channel      string   `json:"channel,omitempty"`
	Participants []string `json:"participants"`
	Context      string   `json:"context,omitempty"`
	Decision     string   `json:"decision,omitempty"`
	Rationale    string   `json:"rationale,omitempty"`
	ActionItems  []string `json:"action_items"`
	Supersedes   []string `json:"supersedes"`
	DecisionID   string   `json:"decision_id,omitempty"`
	Thread       string   `json:"thread,omitempty"`
	Missing      []string `json:"missing"` // labels of empty fields
	Fault        string   `json:"fault,omitempty"`
}

// readCondensation parses the condensation called id. A file without the form is shown by its name
// and text.
func readCondensation(id string, src []byte) condensation {
	c, err := condense.ReadCondensation(path.Base(id), src)
	if err != nil {
		stem := stemOf(id)
		return condensation{Name: id, Topic: stem, Date: dayOf(stem), Fault: clip(err.Error(), shortText)}
	}
	return condensation{
		Name: id, Topic: c.Topic, Date: c.Date, Channel: c.Channel, Participants: c.Participants,
		Context: c.Context, Decision: c.Decision, Rationale: c.Rationale, ActionItems: c.ActionItems,
		Supersedes: c.Supersedes, DecisionID: c.DecisionID, Thread: c.Thread, Missing: c.Missing,
	}
}

// dayOf returns the date at the beginning of a condensation's name, or "".
func dayOf(stem string) string {
	day := stem[:min(len(stem), len(time.DateOnly))]
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}

// clipped returns c with texts of at most n bytes and lists of at most most elements.
func (c condensation) clipped(n, most int) condensation {
	for _, text := range []*string{&c.Topic, &c.Date, &c.Channel, &c.Context, &c.Decision, &c.Rationale, &c.Thread, &c.DecisionID} {
		*text = clip(*text, n)
	}
	for _, list := range []*[]string{&c.Participants, &c.ActionItems, &c.Supersedes, &c.Missing} {
		*list = clipAll(*list, min(n, shortText), most)
	}
	return c
}
