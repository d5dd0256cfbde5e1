package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

var danglingPin = Kind{
	Name:    "dangling-pin",
	Summary: "A pin points to a condensation that is not there.",
	look: func(s *survey) {
		s.eachPin(func(at spot, pin schema.Pin) {
			if _, there := s.called(pin.Condensation); there {
				return
			}
			hint := "take the pin off, or name the condensation as its file is called now"
			var evidence []Evidence
			if like, ok := s.renamed(pin.Condensation); ok {
				hint = "name the condensation as its file is called now; it may be " + plainPath(like)
				evidence = append(evidence, Evidence{File: like})
			}
			s.add(at, 65, pin.Condensation, fmt.Sprintf("the pin points to %s, which is not there", plainPath(pin.Condensation)), hint,
				append([]Evidence{at.evidence(pin.Condensation)}, evidence...)...)
		})
	},
}

var supersededPin = Kind{
	Name:    "superseded-pin",
	Summary: "A condensation is still pinned, and its decision is superseded.",
	look: func(s *survey) {
		s.eachPin(func(at spot, pin schema.Pin) {
			c, there := s.called(pin.Condensation)
			if !there {
				return
			}
			if old, by, ok := s.overtaken(c); ok {
				s.add(at, 70, pin.Condensation, fmt.Sprintf("%s is pinned, but its decision %s was superseded by %s", plainPath(c.file()), plain(old), plain(by)),
					"unpin it, and pin what holds now; the condensation itself stays", spot{c.name, c.line, 1}.evidence(c.decision), s.decision(by))
			}
		})
	},
}

// eachPin calls look for the pins of all channels.
func (s *survey) eachPin(look func(at spot, pin schema.Pin)) {
	for _, p := range s.pins {
		for i, pin := range p.value.Pins {
			look(s.spot(p.name, fmt.Sprintf("/pins/%d", i)), pin)
		}
	}
}

// renamed finds the probable new name of a missing condensation: the only one from the
// thread that names it, or with its topic; else the only one of that day or with that
// ending.
func (s *survey) renamed(name string) (string, bool) {
	const date = len("2006-01-02-")
	name = stemOf(name)
	if like := s.sayingOf(name); len(like) == 1 {
		return like[0], true
	}
	if len(name) <= date {
		return "", false
	}
	if s.like == nil {
		s.like = map[string][]string{}
		for _, c := range s.condensations {
			if file := strings.TrimSuffix(c.file(), ".md"); len(file) > date {
				s.like[file[:date]] = append(s.like[file[:date]], c.name)
				s.like[file[date-1:]] = append(s.like[file[date-1:]], c.name)
			}
		}
	}
	day, topic := s.like[name[:date]], s.like[name[date-1:]]
	switch {
	case len(day)+len(topic) == 1:
		return slices.Concat(day, topic)[0], true
	case len(day) == 1 && len(topic) == 1 && day[0] == topic[0]:
		return day[0], true
	case len(topic) == 1: // a topic is better evidence than a day
		return topic[0], true
	}
	return "", false
}

// sayingOf returns the condensations that name the same thread as the missing one.
func (s *survey) sayingOf(name string) (like []string) {
	for _, t := range s.threads {
		if stemOf(t.value.Condensation) != name {
			continue
		}
		for _, c := range s.condensations {
			if slices.Contains(strings.Fields(c.thread), t.value.ID) && !slices.Contains(like, c.name) {
				like = append(like, c.name)
			}
		}
	}
	if len(like) > 0 {
		return like
	}
	for _, c := range s.condensations {
		topic := strings.Join(strings.FieldsFunc(strings.ToLower(c.topic), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "-")
		if topic != "" && strings.HasSuffix(name, "-"+topic) {
			like = append(like, c.name)
		}
	}
	return like
}
