package exporter

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/secret"
)

// A Line is a file of a tree, or a line of a file that holds lines.
type Line struct {
	File   string          `json:"file"`             // its name in the tree
	Record json.RawMessage `json:"record,omitempty"` // of JSON: an object
	Text   string          `json:"text,omitempty"`   // of markdown: all of it

	Kind  string `json:"-"` // of the thing that the file is about; see [FileKinds]
	group string // the name of the record's file, for a change of it
	time  string
}

// A Lines is the result of JSON.
type Lines struct {
	All    []Line // in the order of the names of the files
	Faults []Fault
	Masked []string // the kinds of the secrets that were masked
	// Unrecorded is the number of entries that stand only in a view, so that no line has them.
	Unrecorded int
}

// JSON returns the files of a tree that hold records, changes of records, discussions,
// condensations and fragments: what git tracks, without settings and snapshots. A record
// is selected with all its changes if it, or one of them, is of the time in question.
func JSON(tree *fs.Tree, q Query) Lines {
	c := lineCollection{tree: tree}
	for name, err := range tree.Names(".") {
		kind := kindOf(name)
		if kind == "" || !q.wants(kind) {
			continue
		}
		if err == nil {
			err = c.file(name, kind)
		}
		if err != nil {
			c.Faults = append(c.Faults, Fault{name, err})
		}
	}
	c.Masked = c.masker.Kinds()
	for _, t := range query.Things(tree, q.kinds()) {
		if doc := fs.Place(t.File); doc == fs.DocState || doc == fs.DocHotContext {
			c.Unrecorded++
		}
	}
	if !q.Since.IsZero() {
		recent := map[string]bool{}
		for _, l := range c.All {
			if q.isNew(l.time) {
				recent[l.group] = true
			}
		}
		c.All = slices.DeleteFunc(c.All, func(l Line) bool { return !recent[l.group] })
	}
	return c.Lines
}

// kindOf returns the kind of the thing that the file at name is about; "" if the file is
// not exported.
func kindOf(name string) string {
	if fs.OfWorkingCopy(name) {
		return ""
	}
	_, below, _ := strings.Cut(name, "/")
	parts := strings.Split(below, "/")
	isMarkdown := path.Ext(name) == ".md"
	switch doc := fs.Place(name); {
	case doc == fs.DocDecision:
		return kindDecision
	case doc == fs.DocProject, parts[0] == "projects" && len(parts) == 3 && parts[2] == "about.md":
		return kindProject
	case doc == fs.DocClarification:
		return records.Clarification.Name
	case doc == fs.DocMessage && parts[0] == fs.ThreadsDir:
		return records.Thread.Name
	case doc == fs.DocMessage && parts[0] == fs.ChannelsDir:
		return kindMessage
	case isMarkdown && parts[0] == "condensations" && len(parts) == 2:
		return kindCondensation
	case isMarkdown && strings.HasPrefix(below, "memory/fragments/") && len(parts) == 3:
		return kindFragment
	}
	if f, ok := records.FileOf(name); ok {
		return f.Folder.Kind.Name
	}
	return ""
}

// A lineCollection is a JSON under way.
type lineCollection struct {
	Lines
	tree   *fs.Tree
	masker secret.Masker
}

// file adds a file of a kind.
func (c *lineCollection) file(name, kind string) error {
	src, err := c.tree.ReadStored(name)
	if err != nil {
		return err
	}
	line := Line{File: name, Kind: kind, group: name}
	switch path.Ext(name) {
	case ".md":
		line.Text, line.time = c.masker.Text(string(src)), timeOfText(name, kind, src)
		c.All = append(c.All, line)
	case ".jsonl":
		for l := range jsonedit.Lines(src) {
			if err := c.object(line, l.Text); err != nil {
				c.Faults = append(c.Faults, Fault{name, fmt.Errorf("line %d: %w", l.Number, err)})
			}
		}
	default:
		if f, ok := records.FileOf(name); ok {
			line.group = f.Base()
		}
		return c.object(line, src)
	}
	return nil
}

// object adds a line with a JSON object.
func (c *lineCollection) object(line Line, src []byte) error {
	var times struct {
		Timestamp  string `json:"timestamp"`
		TS         string `json:"ts"`
		Created    string `json:"created"`
		AskedAt    string `json:"asked_at"`
		AnsweredAt string `json:"answered_at"`
		Opened     string `json:"opened"`
		PinnedAt   string `json:"pinned_at"`
		At         string `json:"at"`
	}
	if _, err := jsonedit.Parse(src); err != nil {
		return err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(src), []byte("{")) {
		return fmt.Errorf("expected a JSON object")
	}
	_ = jsonedit.Decode(src, &times) // a time that is no text is no time
	record, err := jsonedit.Value(json.RawMessage(c.masker.JSON(src)))
	if err != nil {
		return err
	}
	line.Record = record
	line.time = cmp.Or(times.AnsweredAt, times.At, times.Timestamp, times.TS, times.Created, times.AskedAt, times.Opened, times.PinnedAt)
	c.All = append(c.All, line)
	return nil
}

// timeOfText returns the time of a file of markdown; "" where it has none.
func timeOfText(name, kind string, src []byte) string {
	switch kind {
	case kindCondensation:
		c, _ := condense.ReadCondensation(path.Base(name), src)
		return c.Date
	case kindFragment:
		f, _ := recall.ReadFragment(name, src)
		return f.Created
	}
	return ""
}
