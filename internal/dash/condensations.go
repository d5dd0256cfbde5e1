package dash

import (
	"cmp"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
)

// A condensed holds the condensations of a tree.
type condensed struct {
	newest []pinned
	texts  []string // their texts in lower case, for searching
	raw    map[string]string
	facets condensationFacets
	faults []fault
}

// A pinned is a condensation with the channels in which it is pinned.
type pinned struct {
	condensation
	File   string   `json:"file"`
	Pinned []string `json:"pinned"`
}

type condensationFacets struct {
	Channels     []facet `json:"channels"`
	Participants []facet `json:"participants"`
}

// homes lists the two folders of a tree.
var homes = [...]string{fs.Forgemind, fs.Quaid}

// condensed returns the condensations, and reads them again if one changed.
func (s *Server) condensed() (condensed, error) {
	return s.condensations.get(s.news.of(ofCondensations), func() (condensed, error) {
		all := condensed{raw: map[string]string{}}
		pins := s.pins()
		for _, home := range homes {
			for name, err := range s.Tree.Names(home + "/condensations") {
				if err == nil && !strings.HasSuffix(name, ".md") {
					continue
				}
				var src []byte
				if err == nil {
					src, err = s.Tree.Read(name)
				}
				if err != nil {
					all.faults = append(all.faults, fault{clip(name, shortText), clip(err.Error(), shortText)})
					continue
				}
				text := strings.ToValidUTF8(string(src), "\ufffd")
				id := path.Base(name)
				if _, twice := all.raw[id]; twice {
					id = name
				}
				c := readCondensation(id, src)
				all.raw[id] = text
				all.newest = append(all.newest, pinned{c, name, append([]string{}, pins[stemOf(name)]...)})
			}
		}
		slices.SortStableFunc(all.newest, func(a, b pinned) int {
			return cmp.Or(strings.Compare(b.Date, a.Date), strings.Compare(b.Name, a.Name))
		})
		channels, people := map[string]int{}, map[string]int{}
		for _, c := range all.newest {
			all.texts = append(all.texts, strings.ToLower(c.Name+"\n"+all.raw[c.Name]))
			channels[c.Channel]++
			for _, name := range c.Participants {
				people[name]++
			}
		}
		all.facets = condensationFacets{facetsOf(channels), facetsOf(people)}
		return all, nil
	})
}

// stemOf returns the name of a condensation's file without folder and extension. Pins use either
// form.
func stemOf(name string) string { return strings.TrimSuffix(path.Base(name), ".md") }

// pins returns the channels in which condensations are pinned, by the stem of the file.
func (s *Server) pins() map[string][]string {
	in := map[string][]string{}
	for _, home := range homes {
		channels, _ := condense.PinnedChannels(s.Tree, home)
		for _, channel := range channels {
			pins, _ := condense.Pins(s.Tree, home, channel) // validate reports unreadable pins
			for _, p := range pins {
				in[stemOf(p.Condensation)] = append(in[stemOf(p.Condensation)], channel)
			}
		}
	}
	return in
}

// listCondensations answers /api/condensations, newest first. The parameters q, channel,
// participant, pinned, from and to filter them.
func (s *Server) listCondensations(r *http.Request) (any, error) {
	all, err := s.condensed()
	if err != nil {
		return nil, err
	}
	query, words := r.URL.Query(), soughtIn(r)
	channel, participant := query.Get("channel"), query.Get("participant")
	var matched []pinned
	for i, c := range all.newest {
		if (channel == "" || c.Channel == channel) && (participant == "" || slices.Contains(c.Participants, participant)) &&
			(query.Get("pinned") == "" || len(c.Pinned) > 0) && within(c.Date, query) && words.in(all.texts[i]) {
			matched = append(matched, c)
		}
	}
	p, list, err := pageOf(r, len(all.newest), matched)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].condensation = list[i].clipped(shortText, few)
	}
	return struct {
		page
		Facets        condensationFacets `json:"facets"`
		Condensations []pinned           `json:"condensations"`
		Faults        []fault            `json:"faults,omitempty"`
	}{p, all.facets, list, firstFaults(all.faults)}, nil
}

// showCondensation answers /api/condensations/{id}.
func (s *Server) showCondensation(r *http.Request) (any, error) {
	all, err := s.condensed()
	if err != nil {
		return nil, err
	}
	id := r.PathValue("id")
	i := slices.IndexFunc(all.newest, func(c pinned) bool { return c.Name == id })
	if i < 0 {
		return nil, errMissing
	}
	c := all.newest[i]
	c.condensation = c.clipped(longText, many)
	return struct {
		Version int `json:"version"`
		pinned
		Text string `json:"text"` // text of the file
	}{1, c, clip(all.raw[id], longText)}, nil
}
