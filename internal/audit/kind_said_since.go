package audit

import (
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

var saidSince = Kind{
	Name:    "said-since",
	Summary: "Something was said in a thread after it was condensed.",
	look: func(s *survey) {
		of := map[string]condensation{} // by their files
		for _, c := range s.condensations {
			of[stemOf(c.file())] = c
		}
		for _, t := range s.threads {
			if c, ok := of[stemOf(t.value.Condensation)]; ok && t.value.Condensation != "" {
				s.hearSince(t, c)
			}
		}
	},
}

// hearSince looks for messages of a thread that its condensation can't know: they
// came from a bridge or from another branch.
func (s *survey) hearSince(t record[schema.Thread], c condensation) {
	until, err := schema.ParseTime(t.value.Resolved)
	for _, id := range c.ledger { // whose time is that of the last message that was condensed
		if at, wrong := schema.ParseTime(s.withID(id).Timestamp); wrong == nil && at.After(until) {
			until, err = at, nil
		}
	}
	if err != nil {
		return
	}
	var place spot
	n := 0
	var last time.Time
	s.eachMessage(strings.TrimSuffix(t.name, ".json"), func(from spot, m *schema.Message) {
		at, err := schema.ParseTime(m.Timestamp)
		if err != nil || !at.After(until) {
			return
		}
		if n++; n == 1 {
			place = from
		}
		if at.After(last) {
			last = at
		}
	})
	if n == 0 {
		return
	}
	s.add(place, 45, t.value.ID, fmt.Sprintf("the thread %s was condensed, and then people spoke on (messages: %d, the last on %s)", plain(t.value.ID), n, day(last)),
		"add to the condensation what they change, or go on in another thread", place.evidence(t.value.Title), Evidence{File: c.name, Line: c.line, Text: c.decision})
}

// eachMessage goes through the messages of a discussion: the lines of the file
// stem.jsonl, and the files in the folder stem.
func (s *survey) eachMessage(stem string, look func(from spot, m *schema.Message)) {
	for _, line := range session.Read(s.read(stem + ".jsonl")) {
		if line.Err == nil {
			look(spot{file: stem + ".jsonl", line: line.At + 1}, line.Message)
		}
	}
	for name, err := range s.reader.Names(stem) {
		var m schema.Message
		if err == nil && fs.Place(name) == fs.DocMessage && s.decode(name, &m) {
			look(spot{file: name, line: 1}, &m)
		}
	}
}
