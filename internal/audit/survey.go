package audit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// homes are the folders that hold documents.
var homes = [...]string{fs.Forgemind, fs.Quaid}

const (
	maxText  = 1 << 20  // bytes of one markdown file that are looked into
	maxTexts = 16 << 20 // bytes of all of them
)

// A survey is one audit under way: what the tree holds, and what was found.
type survey struct {
	ctx    context.Context
	reader fs.Reader
	o      Options
	span   git.Span

	kind  Kind // that is looking
	found []Finding

	decisions []schema.Decision
	standing  schema.Standing
	current   []schema.Decision          // those that hold, in order
	byID      map[string]int             // index of a decision
	proposed  map[string]schema.Decision // proposals by their ids; they are no decisions yet
	old       *superseded
	views     map[string]spot // of decisions that only a view shows

	state          *schema.State
	active         string // the active session
	hot            *schema.HotContext
	metas          []record[schema.SessionMetadata]
	clarifications []record[schema.Clarification]
	threads        []record[schema.Thread]
	pins           []record[schema.Pins]
	handoffs       []record[schema.Handoff]
	notes          []document // of agents
	contexts       []document // the CONTEXT.md of projects
	fragments      []document
	condensations  []condensation
	byFile         map[string]int      // index of a condensation
	like           map[string][]string // days and topics → condensations called so
	answerByID     map[string]answer
	answerByText   map[string]answer
	byText         map[string][]string // ids of the decisions that say it

	lags     []Lag     // of Options.Contexts
	outcomes []Outcome // of Options.Threads
	written  []Written // of Options.Condensations
	commits  []git.Commit
	cut      bool // there may be more of them, which git did not give
	gaps     []Gap
	checked  int
	texts    int // bytes of the markdown files that were read
	unread   []string
	position map[string]*tape
	held     int                 // bytes of what position holds
	cited    map[string]Evidence // decisions as evidence
	shown    map[string]bool     // ids of the State's actions and questions
}

// A record is a JSON document, or a line of one, as it was read.
type record[T any] struct {
	name  string
	line  int // of JSONL; 0 for a document
	value T
}

// A document is a markdown file.
type document struct {
	name string
	src  []byte
}

// ask asks those who know best.
func (s *survey) ask() (err error) {
	if s.o.Contexts != nil {
		s.lags, err = s.o.Contexts(s.reader, s.decisions)
	}
	if s.o.Threads != nil && err == nil {
		s.outcomes, err = s.o.Threads(s.reader, s.o.Now)
	}
	if s.o.Condensations != nil && err == nil {
		s.written, err = s.o.Condensations(s.reader)
	}
	return err
}

// look reads the tree and lets every kind look at it.
func (s *survey) look() error {
	s.position, s.cited, s.proposed = map[string]*tape{}, map[string]Evidence{}, map[string]schema.Decision{}
	if err := s.readState(); err != nil {
		return err
	}
	s.readDecisions()
	if err := s.readFolders(); err != nil {
		return err
	}
	if err := s.readHistory(); err != nil {
		return err
	}
	s.old = newSuperseded(s)
	if err := s.ask(); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	for _, kind := range Kinds() {
		s.kind = kind
		kind.look(s)
		if s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
	}
	if s.o.Repo {
		s.kind = supersededReference
		return s.lookAtRepository()
	}
	return nil
}

// mostFindings is how many findings are told, the heaviest first: nobody reads
// more.
const mostFindings = 10_000

// report is what was found, in order, each once.
func (s *survey) report() Report {
	slices.SortStableFunc(s.found, compare)
	if len(s.found) > mostFindings {
		s.leaveOut(fmt.Sprintf("%d findings of the lowest scores", len(s.found)-mostFindings), fmt.Sprintf("only %d are reported", mostFindings))
		s.found = s.found[:mostFindings]
	}
	alike, quoted := map[string]int{}, map[string]string{}
	for i := range s.found {
		f := &s.found[i]
		f.About = quote(f.About)
		key := f.Kind + "\x00" + f.File + "\x00" + f.About
		f.ID = identify(*f, alike[key])
		alike[key]++
		for k := range f.Evidence {
			text := &f.Evidence[k].Text
			cut, known := quoted[*text]
			if !known {
				cut = quote(*text)
				quoted[*text] = cut
			}
			*text = cut
		}
	}
	slices.Sort(s.unread)
	found := s.found
	if found == nil {
		found = []Finding{}
	}
	return Report{
		Version: 1, Checked: s.checked, Commits: len(s.commits), Findings: found, Unread: slices.Compact(s.unread),
		NotChecked: s.gaps,
	}
}

// add adds a Finding of the kind that is looking. Evidence is quoted by report.
func (s *survey) add(at spot, score int, about, message, hint string, evidence ...Evidence) {
	s.found = append(s.found, Finding{
		Kind: s.kind.Name, Score: min(max(score, 1), 100), File: at.file, Line: max(at.line, 1), Column: max(at.column, 1),
		About: about, Message: message, Hint: hint, Evidence: append([]Evidence{}, evidence...),
	})
}

// leaveOut notes what is not looked at, and why, once.
func (s *survey) leaveOut(what, why string) {
	if gap := (Gap{what, why}); !slices.Contains(s.gaps, gap) {
		s.gaps = append(s.gaps, gap)
	}
}

// read returns the bytes at name; nil where there is nothing to be had.
func (s *survey) read(name string) []byte {
	src, err := s.reader.Read(name)
	switch {
	case errors.Is(err, iofs.ErrNotExist):
		return nil
	case err != nil:
		s.unread = append(s.unread, name)
		return nil
	}
	s.checked++
	return src
}

// decode reads the JSON document at name; false where there is none that can
// be read.
func (s *survey) decode(name string, v any) bool {
	src := s.read(name)
	return src != nil && s.decodeBytes(name, src, v)
}

func (s *survey) decodeBytes(name string, src []byte, v any) bool {
	_, err := jsonedit.Parse(src) // which bounds what a stranger's text may cost
	if err == nil {
		err = jsonedit.Decode(src, v)
	}
	if err != nil {
		s.unread = append(s.unread, name)
	}
	return err == nil
}

// decodeView decodes what can be read of a view; false where there is none.
func (s *survey) decodeView(name string, v any) bool {
	unread, err := views.Decode(s.reader, name, v)
	if unread != nil || err != nil && !errors.Is(err, iofs.ErrNotExist) {
		s.unread = append(s.unread, name)
	}
	if err == nil {
		s.checked++
	}
	return err == nil
}

func (s *survey) readState() error {
	var st schema.State
	if s.decodeView(fs.State, &st) {
		s.state = &st
	}
	id, err := session.Active(s.reader)
	if err != nil || id == "" {
		return nil
	}
	var hot schema.HotContext
	if s.decodeView(session.HotContext(id), &hot) {
		s.active, s.hot = id, &hot
	}
	return nil
}

// readDecisions reads the Ledger, and what only the views show.
func (s *survey) readDecisions() {
	all, proposed, faults := records.Decisions(s.reader)
	for _, d := range proposed {
		s.proposed[d.ID] = d
	}
	for _, f := range faults {
		s.unread = append(s.unread, f.Name)
	}
	s.byID, s.views = make(map[string]int, len(all)), map[string]spot{}
	names := []string{fs.State}
	if s.active != "" {
		names = append(names, session.HotContext(s.active))
	}
	only, _ := views.OnlyShown(s.reader, names...)
	s.decisions = append(all, only...)
	s.checked += len(s.decisions)
	for i, d := range s.decisions {
		if _, known := s.byID[d.ID]; !known {
			s.byID[d.ID] = i
		}
	}
	s.findShown(only)
	s.standing = schema.Current(slices.Concat(s.decisions, proposed))
	s.current = s.standing.Current()
}

// findShown finds where a view shows the decisions that only views show.
func (s *survey) findShown(only []schema.Decision) {
	for _, d := range only {
		s.views[d.ID] = spot{fs.State, 1, 1}
	}
	look := func(name, pointer string, ids iter.Seq2[int, string]) {
		for i, id := range ids {
			if at, ok := s.views[id]; ok && at.column == 1 && at.line == 1 {
				s.views[id] = s.spot(name, fmt.Sprintf("%s/%d", pointer, i))
			}
		}
	}
	if s.state != nil {
		look(fs.State, "/recent_decisions", func(yield func(int, string) bool) {
			for i, d := range s.state.RecentDecisions {
				if !yield(i, d.ID) {
					return
				}
			}
		})
	}
	if s.hot != nil {
		look(session.HotContext(s.active), "/key_decisions", func(yield func(int, string) bool) {
			for i, d := range s.hot.KeyDecisions {
				if !yield(i, d.ID) {
					return
				}
			}
		})
	}
}

// readFolders reads what stands in folders of its own, of both homes.
func (s *survey) readFolders() error {
	for _, home := range homes {
		for _, folder := range []struct {
			dir  string
			take func(name string)
		}{
			{"threads", s.readThread},
			{"channels", s.readPins},
			{"condensations", s.readCondensation},
			{fs.ClarificationsDir, s.readClarification},
			{"projects", s.readProject},
			{fs.MemoryDir, s.readNote},
			{"context/sessions", s.readMeta},
		} {
			for name, err := range s.reader.Names(home + "/" + folder.dir) {
				if s.ctx.Err() != nil {
					return context.Cause(s.ctx)
				}
				if err != nil {
					s.unread = append(s.unread, name)
					continue
				}
				folder.take(name)
			}
		}
		s.readClarificationLines(home + "/" + fs.ClarificationsFile)
	}
	s.readHandoffs()
	return nil
}

// readThread reads a thread: its record, or the document beside it where it has none.
func (s *survey) readThread(name string) {
	switch fs.Place(name) {
	case fs.DocThread:
		for file := range s.reader.Names(strings.TrimSuffix(name, ".json")) {
			if fs.Place(file) == fs.DocThreadRecord {
				return
			}
		}
		take(s, name, fs.DocThread, &s.threads)
	case fs.DocThreadRecord:
		folder := records.Folder{Dir: path.Dir(name), Kind: records.Thread}
		id, _ := folder.ID(name)
		t := record[schema.Thread]{name: folder.Dir + ".json"}
		r, err := folder.Get(s.reader, id)
		if err == nil {
			err = r.Decode(&t.value)
		}
		if err != nil {
			s.unread = append(s.unread, name)
			return
		}
		s.checked++
		s.threads = append(s.threads, t)
	}
}

// readPins reads the pins of a channel: the view of them, or where there is none the
// record of each.
func (s *survey) readPins(name string) {
	switch fs.Place(name) {
	case fs.DocPins:
		take(s, name, fs.DocPins, &s.pins)
	case fs.DocPin:
		folder := records.Folder{Dir: path.Dir(name), Kind: records.Pin}
		if _, err := s.reader.Read(folder.Dir + ".json"); !errors.Is(err, iofs.ErrNotExist) {
			return
		}
		id, _ := folder.ID(name)
		var pin schema.Pin
		r, err := folder.Get(s.reader, id)
		if err == nil {
			err = r.Decode(&pin)
		}
		if err != nil {
			s.unread = append(s.unread, name)
			return
		}
		s.checked++
		if r.InForce() {
			s.pins = append(s.pins, record[schema.Pins]{name: name, value: schema.Pins{Pins: []schema.Pin{pin}}})
		}
	}
}

// readHandoffs reads the handoffs with their changes.
func (s *survey) readHandoffs() {
	all, faults := records.All(s.reader, records.Handoff)
	for _, r := range all {
		var h schema.Handoff
		if s.checked++; r.Decode(&h) == nil {
			h.ID = cmp.Or(r.Base.Text("id"), h.ID) // older files are called by the task
			s.handoffs = append(s.handoffs, record[schema.Handoff]{r.Name, 0, h})
		}
	}
	for _, f := range faults {
		s.unread = append(s.unread, f.Name)
	}
}

func (s *survey) readMeta(name string) { take(s, name, fs.DocSessionMeta, &s.metas) }

func (s *survey) readProject(name string) {
	if path.Base(name) == "CONTEXT.md" {
		s.take(name, &s.contexts)
	} else if fs.Place(name) == fs.DocProject {
		s.decode(name, new(schema.ProjectRecord)) // Contexts reads it again; here it is said that it can't be read
	}
}

func (s *survey) readNote(name string) {
	switch {
	case path.Ext(name) != ".md":
	case path.Base(path.Dir(name)) == "fragments":
		s.take(name, &s.fragments)
	default:
		s.take(name, &s.notes)
	}
}

// take reads a document of one sort into a list.
func take[T any](s *survey, name string, doc fs.Doc, into *[]record[T]) {
	if fs.Place(name) != doc {
		return
	}
	var v T
	if s.decode(name, &v) {
		*into = append(*into, record[T]{name, 0, v})
	}
}

// take reads a markdown file into a list.
func (s *survey) take(name string, into *[]document) {
	src := s.read(name)
	if src == nil {
		return
	}
	if len(src) > maxText {
		s.leaveOut("what stands beyond the first MiB of a file", "it takes too long")
		src = bytes.Clone(src[:maxText])
	}
	if s.texts += len(src); s.texts > maxTexts {
		s.leaveOut(fmt.Sprintf("notes, fragments and contexts beyond the first %d MiB", maxTexts>>20), "it takes too long")
		return
	}
	*into = append(*into, document{name, src})
}

func (s *survey) readClarification(name string) {
	take(s, name, fs.DocClarification, &s.clarifications)
}

// readClarificationLines reads the clarifications of a former tree.
func (s *survey) readClarificationLines(name string) {
	src := s.read(name)
	n := 0
	for line := range strings.Lines(string(src)) {
		n++
		var c schema.Clarification
		if strings.TrimSpace(line) == "" || jsonedit.Decode([]byte(line), &c) != nil {
			continue
		}
		s.clarifications = append(s.clarifications, record[schema.Clarification]{name, n, c})
	}
}
