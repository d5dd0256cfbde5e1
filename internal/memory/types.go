package memory

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// BossDecision is the type of an entry for a decision. It is identified by its id.
const BossDecision = "boss_decision"

// facilitator is the agent whose notes hold the entries without an agent.
const facilitator = "facilitator"

// Notes that belong to no agent.
const (
	preferences = "boss-preferences.md"
	knowledge   = "project-knowledge.md"
)

// types lists the file and the section for each type of entry. Types without a file go to the notes
// of the agent.
var types = []struct{ name, file, section string }{
	{BossDecision, "", "Key decisions log"},
	{"open_question", "", "Open questions"},
	{"lesson_learned", "", "Lessons learned"},
	{"preference", "", "Boss preferences learned"},
	{"task", "", "Active tasks"},
	{"context_summary", "", "Current context summary"},
	{"communication_style", preferences, "Communication style"},
	{"decision_pattern", preferences, "Decision making patterns"},
	{"working_hours", preferences, "Working hours"},
	{"technical_preference", preferences, "Technical preferences"},
	{"quality_standard", preferences, "Quality standards"},
	{"glossary", knowledge, "Domain glossary"},
	{"business_rule", knowledge, "Business rules"},
	{"constraint", knowledge, "Technical constraints"},
	{"integration_point", knowledge, "Integration points"},
	{"known_issue", knowledge, "Known issues"},
}

// Types returns the types of entries.
func Types() []string {
	var names []string
	for _, t := range types {
		names = append(names, t.name)
	}
	return names
}

// Place returns the note below home and the section for an entry; home is one of the two folders.
// It returns an error for an unknown type, and for an agent whose name cannot be a file name.
func Place(home string, e Entry) (name, section string, err error) {
	for _, t := range types {
		if t.name != e.Type {
			continue
		}
		file := t.file
		if file == "" {
			if file, err = notesOf(e.Agent); err != nil {
				return "", "", err
			}
		}
		return path.Join(home, fs.MemoryDir, file), t.section, nil
	}
	return "", "", fmt.Errorf("%q is no type of entry; there are %s", text.Head(e.Type, 60), strings.Join(Types(), ", "))
}

// notesOf returns the name of the file with an agent's own notes: its name in lower case, with
// dashes for everything but letters and digits.
func notesOf(agent string) (string, error) {
	if agent == "" {
		agent = facilitator
	}
	words := strings.FieldsFunc(strings.ToLower(agent), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) == 0 || len(agent) > 100 {
		return "", fmt.Errorf("agent %q: notes need a name of letters and digits, at most 100 bytes long", text.Head(agent, 60))
	}
	return strings.Join(words, "-") + "-notes.md", nil
}

// Notes returns the sorted names of all notes: the files, and those that records would show.
func Notes(r fs.Reader, all []Record) ([]string, error) {
	var names []string
	for _, r := range all {
		if r.Fact.InForce() {
			names = append(names, r.Note)
		}
	}
	var wrong error
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		dir := path.Join(home, fs.MemoryDir)
		for name, err := range r.Names(dir) {
			if err != nil {
				wrong = errors.Join(wrong, fmt.Errorf("list the notes: %w", err))
			} else if path.Dir(name) == dir && path.Ext(name) == ".md" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), wrong
}

// stamp is a time as entries show it; "" for what is none.
func stamp(s string) string {
	t, err := schema.ParseTime(s)
	if err != nil {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05Z")
}
