package audit

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

var uncondensedThread = Kind{
	Name:    "uncondensed-thread",
	Summary: "Something was decided in a thread that no condensation holds.",
	look: func(s *survey) {
		of := map[string]bool{} // threads that a condensation names
		for _, c := range s.condensations {
			for id := range strings.FieldsSeq(c.thread) {
				of[id] = true
			}
		}
		for _, t := range s.threads {
			s.lookAtThread(t, of)
		}
		for _, o := range s.outcomes {
			if o.Called != o.Thread || !of[o.Thread] {
				s.add(s.spot(o.File, "/status"), 50, o.Thread, fmt.Sprintf("the thread %s came to something that is in no condensation: %s", plain(o.Thread), o.Text),
					fmt.Sprintf("forgemind condense %s writes it down", plainPath(o.Called)), Evidence{File: o.File, Text: o.Text})
			}
		}
	},
}

func (s *survey) lookAtThread(t record[schema.Thread], condensed map[string]bool) {
	at, err := schema.ParseTime(t.value.Resolved)
	if t.value.Status != "resolved" && (t.value.Status != "archived" || err != nil) || condensed[t.value.ID] && t.value.Condensation == "" {
		return // under way, or put away for want of anything said
	}
	score, when := 60, ""
	if err == nil {
		score, when = aged(60, 80, s.o.Now.Sub(at), 30), " on "+day(at)
	}
	hint := fmt.Sprintf("forgemind condense %s writes down what came of it: it is nowhere else", plain(t.value.ID))
	talk := Evidence{File: t.name, Text: t.value.Title}
	s.eachMessage(strings.TrimSuffix(t.name, ".json"), func(from spot, _ *schema.Message) { talk.File = from.file })
	place := s.spot(t.name, "/status")
	if name := t.value.Condensation; name != "" {
		if _, there := s.called(name); there {
			return
		}
		place = s.spot(t.name, "/condensation")
		if now, ok := s.renamed(name); ok && condensed[t.value.ID] {
			s.add(place, 50, t.value.ID, fmt.Sprintf("the thread %s names the condensation %s, which is not there", plain(t.value.ID), plain(name)),
				"name it as its file is called now, "+plainPath(now)+"; forgemind validate --fix does", place.evidence(name), Evidence{File: now})
			return
		}
		s.add(place, score, t.value.ID, fmt.Sprintf("the thread %s was resolved%s, and its condensation %s is not there", plain(t.value.ID), when, plain(name)),
			"name the condensation as its file is called now, or condense the thread again", place.evidence(name), talk)
		return
	}
	s.add(place, score, t.value.ID, fmt.Sprintf("the thread %s was resolved%s and never condensed", plain(t.value.ID), when), hint, place.evidence(t.value.Status), talk)
}
