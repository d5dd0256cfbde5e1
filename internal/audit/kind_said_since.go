package audit

import (
	"fmt"
	"strings"
	"time"

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
		if at, wrong := schema.ParseTime(s.decisions[s.byID[id]].Timestamp); wrong == nil && at.After(until) {
			until, err = at, nil
		}
	}
	if err != nil {
		return
	}
	name := strings.TrimSuffix(t.name, ".json") + ".jsonl"
	first, n := 0, 0
	var last time.Time
	for _, line := range session.Read(s.read(name)) {
		if line.Err != nil {
			continue
		}
		at, err := schema.ParseTime(line.Message.Timestamp)
		if err != nil || !at.After(until) {
			continue
		}
		if n++; n == 1 {
			first = line.At + 1
		}
		if at.After(last) {
			last = at
		}
	}
	if n == 0 {
		return
	}
	place := spot{file: name, line: first}
	s.add(place, 45, t.value.ID, fmt.Sprintf("the thread %s was condensed, and then people spoke on (messages: %d, the last on %s)", plain(t.value.ID), n, day(last)),
		"add to the condensation what they change, or go on in another thread", place.evidence(t.value.Title), Evidence{File: c.name, Line: c.line, Text: c.decision})
}
