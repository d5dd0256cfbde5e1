package dash

import (
	"cmp"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/condense"
)

// A channel is a channel with its pins and the numbers of its threads.
type channel struct {
	ID          string `json:"id"`
	Pins        []pin  `json:"pins"`   // newest first; in a list only the first few
	Pinned      int    `json:"pinned"` // number of pins
	Room        int    `json:"room"`   // largest number of pins
	Active      int    `json:"active"` // number of active threads
	Resolved    int    `json:"resolved"`
	Archived    int    `json:"archived"`
	Uncondensed int    `json:"uncondensed"` // number of resolved threads without a condensation
	Fault       string `json:"fault,omitempty"`
}

// A pin is a condensation pinned in a channel.
type pin struct {
	ID       string `json:"id"` // id of the condensation
	Topic    string `json:"topic"`
	Date     string `json:"date,omitempty"`
	Decision string `json:"decision,omitempty"`
	By       string `json:"pinned_by,omitempty"`
	At       string `json:"pinned_at,omitempty"`
	Astray   bool   `json:"astray"` // the condensation does not exist
}

// channelled returns the channels that have pins or threads.
func (s *Server) channelled() ([]channel, error) {
	return s.channels.get(s.news.of(ofChannels), func() ([]channel, error) {
		threads, err := s.discussed()
		if err != nil {
			return nil, err
		}
		known, err := s.condensed()
		if err != nil {
			return nil, err
		}
		byFile := map[string]*pinned{}
		for i := range known.newest {
			byFile[stemOf(known.newest[i].File)] = &known.newest[i]
		}
		in := map[string]*channel{}
		of := func(id string) *channel {
			if in[id] == nil {
				in[id] = &channel{ID: id, Pins: []pin{}, Room: condense.MaxPins}
			}
			return in[id]
		}
		for _, home := range homes {
			channels, _ := condense.PinnedChannels(s.Tree, home)
			for _, name := range channels {
				c := of(name)
				pins, err := condense.Pins(s.Tree, home, c.ID)
				if err != nil {
					c.Fault = clip(err.Error(), shortText)
				}
				for _, p := range slices.Backward(pins) {
					stem := stemOf(p.Condensation)
					shown := pin{ID: stem + ".md", Topic: clip(stem, 200), By: clip(p.PinnedBy, 100), At: p.PinnedAt, Astray: true}
					if there := byFile[stem]; there != nil {
						one := there.clipped(word, few)
						shown.ID, shown.Topic, shown.Date, shown.Decision, shown.Astray = one.Name, one.Topic, one.Date, one.Decision, false
					}
					c.Pins = append(c.Pins, shown)
				}
				c.Pinned = len(c.Pins)
			}
		}
		open := map[string]bool{}
		for _, t := range condense.ResolvedUncondensed(threads.all) {
			open[t.File] = true
		}
		for _, t := range threads.all {
			c := of(clip(cmp.Or(t.Channel, path.Base(path.Dir(t.File))), 200))
			switch t.Status {
			case condense.Active:
				c.Active++
			case condense.Resolved:
				c.Resolved++
			default:
				c.Archived++
			}
			if open[t.File] {
				c.Uncondensed++
			}
		}
		all := make([]channel, 0, len(in))
		for _, c := range in {
			all = append(all, *c)
		}
		slices.SortFunc(all, func(a, b channel) int { return strings.Compare(a.ID, b.ID) })
		return all, nil
	})
}

// listChannels answers /api/channels, sorted by name. The parameter q filters them.
func (s *Server) listChannels(r *http.Request) (any, error) {
	all, err := s.channelled()
	if err != nil {
		return nil, err
	}
	words := soughtIn(r)
	var matched []channel
	for _, c := range all {
		texts := []string{c.ID}
		for _, p := range c.Pins {
			texts = append(texts, p.Topic, p.Decision)
		}
		if words.in(strings.ToLower(strings.Join(texts, "\n"))) {
			matched = append(matched, c)
		}
	}
	p, list, err := pageOf(r, len(all), matched)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Pins = list[i].Pins[:min(len(list[i].Pins), few+1)]
	}
	return struct {
		page
		Channels []channel `json:"channels"`
	}{p, list}, nil
}

// showChannel answers /api/channels/{id} with the channel and all its pins.
func (s *Server) showChannel(r *http.Request) (any, error) {
	all, err := s.channelled()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(c channel) bool { return c.ID == r.PathValue("id") })
	if i < 0 {
		return nil, errMissing
	}
	return struct {
		Version int `json:"version"`
		channel
	}{1, all[i]}, nil
}
