package main

import (
	"cmp"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/hook"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A saying holds the last figures that a session of an agent reported. Equal figures belong
// to the same request and are not new, even if other sessions reported figures meanwhile or
// the conversation was compacted. An agent reports them several times a second.
type saying struct {
	Who   string `json:"who"` // id of the agent's session, or the agent
	Agent string `json:"agent"`
	Used  int    `json:"used"`
	Limit int    `json:"limit"`
}

func sayingOf(said hook.StatusInput, agent string) saying {
	agent = cmp.Or(agent, said.Model)
	return saying{cmp.Or(said.Session, agent), agent, said.Used, said.Limit}
}

// heard holds the last figures of agents' sessions, latest first. It is derived data; without
// it the same figures are stored once more.
type heard struct {
	Version int      `json:"version"`
	Said    []saying `json:"said"`
}

const (
	heardVersion = 1
	mostHeard    = 16 // number of sessions
)

func heardName(tree *fs.Tree) string {
	home := fs.Forgemind
	if _, err := tree.Look(home); err != nil {
		home = fs.Quaid
	}
	return fs.LocalName(home, "index", "statusline.json")
}

func readHeard(tree *fs.Tree) (h heard) {
	src, err := tree.Read(heardName(tree))
	if err != nil || jsonedit.Decode(src, &h) != nil || h.Version != heardVersion {
		return heard{Version: heardVersion}
	}
	return h
}

// with returns h with new figures.
func (h heard) with(now saying) heard {
	h.Said = slices.DeleteFunc(slices.Clone(h.Said), func(s saying) bool { return s.Who == now.Who })
	h.Said = slices.Insert(h.Said, 0, now)
	h.Said = h.Said[:min(len(h.Said), mostHeard)]
	return h
}

func (h heard) keep(tree *fs.Tree) {
	if text, err := jsonedit.Marshal(h); err == nil {
		_ = tree.WriteDerived(heardName(tree), text) // derived data, see heard
	}
}
