package memory

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// A Record is an entry of a note with a file of its own.
type Record struct {
	Entry
	Note    string         // name of the markdown file that shows it
	Section string         // title of its section
	Prose   bool           // it is prose, see Page
	Fact    records.Record // the record with its changes
}

// Records returns the records of all agents' notes, including removed ones, sorted by time, and a
// fault for each file that could not be read.
func Records(r fs.Reader) (all []Record, faults []records.Fault) {
	found, faults := records.All(r, records.Note)
	for _, fact := range found {
		var n schema.NoteRecord
		err := fact.Decode(&n)
		if err == nil && n.Section == "" && n.Document == "" {
			continue // a note of a session
		}
		e := Entry{Type: n.Type, Text: n.Note, Rationale: n.Rationale, Time: n.Created, Agent: n.Agent, ID: n.Decision}
		home := path.Dir(path.Dir(fact.Name))
		name := path.Join(home, fs.MemoryDir, path.Base(n.Document))
		if err == nil && n.Document == "" {
			name, err = noteOf(home, e)
		}
		if err != nil {
			faults = append(faults, records.Fault{Name: fact.Name, Err: err})
			continue
		}
		all = append(all, Record{Entry: e, Note: name, Section: n.Section, Prose: n.Document != "", Fact: fact})
	}
	slices.SortStableFunc(all, func(a, b Record) int {
		return cmp.Or(a.made().Compare(b.made()), cmp.Compare(a.Fact.ID, b.Fact.ID))
	})
	return all, faults
}

// AddRecord stages a record of an entry below home. The argument by names the author.
func AddRecord(tx *fs.Tx, home string, e Entry, by string, random io.Reader) error {
	_, section, err := Place(home, e)
	if err != nil {
		return err
	}
	all, _ := records.All(tx, records.Note)
	id, err := schema.NewID(records.Note.Prefix, random, func(id string) bool {
		return slices.ContainsFunc(all, func(r records.Record) bool { return r.ID == id })
	})
	if err != nil {
		return err
	}
	return AddEntry(tx, home, schema.NoteRecord{
		ID: id, Note: e.Text, Agent: e.Agent, Created: e.Time, Section: section, Type: e.Type, Rationale: e.Rationale, By: by,
	})
}

// AddEntry stages the record of an entry below home. The entry has an id.
func AddEntry(tx *fs.Tx, home string, n schema.NoteRecord) error {
	n.Agent = NotesAgent(n.Agent)
	_, err := records.Note.In(home).Add(tx, n.ID, n)
	return err
}

// NotesAgent returns the agent in whose notes the entries of agent are stored.
func NotesAgent(agent string) string { return cmp.Or(agent, facilitator) }

// AddProse stages a record of a section that people wrote. It gets the id in n, or else a new one.
func AddProse(tx *fs.Tx, home string, n schema.NoteRecord, random io.Reader) error {
	all, _ := records.All(tx, records.Note)
	taken := func(id string) bool {
		return slices.ContainsFunc(all, func(r records.Record) bool { return r.ID == id })
	}
	if n.ID == "" {
		id, err := schema.NewID(records.Note.Prefix, random, taken)
		if err != nil {
			return err
		}
		n.ID = id
	} else if taken(n.ID) {
		return nil
	}
	_, err := records.Note.In(home).Add(tx, n.ID, n)
	return err
}

// Change stages a change of the record that sets members of schema.NoteRecord.
func (r Record) Change(tx *fs.Tx, c records.Change, set map[string]any) error {
	_, err := r.Fact.Change(tx, c, set)
	return err
}

// made returns the time of the entry, or the zero time.
func (r Record) made() time.Time {
	at, _ := schema.ParseTime(r.Time)
	return at
}

// former returns the earlier texts of the record, and its last one if it was removed.
func (r Record) former() (all []Entry) {
	if r.Fact.ID == "" || r.Prose {
		return nil // it shows a decision, or is no entry
	}
	said := func(member string) []string {
		texts := []string{r.Fact.Base.Text(member)}
		for _, c := range r.Fact.Changes {
			if _, sets := c.Set[member]; sets {
				texts = append(texts, c.Set.Text(member))
			}
		}
		return texts
	}
	for _, text := range said("note") {
		if strings.TrimSpace(text) == "" {
			continue
		}
		for _, why := range said("rationale") {
			if e := r.Entry; text != e.Text || why != e.Rationale || !r.Fact.InForce() {
				e.Text, e.Rationale = text, why
				all = append(all, e)
			}
		}
	}
	return all
}

// key returns the text of the entry for comparisons.
func (r Record) key() string {
	e := r.Entry
	e.Time = ""
	return keyOf(r.Section, strings.Join(e.lines(asMarkdown), "\n"))
}

// Load returns the contents of the file called name, or the template if there is no file.
func Load(r fs.Reader, name string) (src []byte, found bool, err error) {
	src, err = r.Read(name)
	if errors.Is(err, iofs.ErrNotExist) {
		src, err = templates.MemoryNote(path.Base(name))
		return src, false, err
	}
	return src, true, err
}

// Render returns src, the note called name, brought up to its records: with the entries that it
// lacks, each before later ones, and without those that were removed or changed. Every other byte
// is kept, and rendering twice changes nothing.
func Render(src []byte, name string, all []Record) ([]byte, error) {
	all = slices.DeleteFunc(slices.Clone(all), func(r Record) bool { return r.Note != name || r.Prose })
	n, err := parse(src)
	if err != nil {
		return nil, err
	}
	place := map[string]int{} // rank of an entry by time
	for i, r := range all {
		if r.Fact.InForce() {
			place[r.key()] = i
		}
	}
	for _, r := range all {
		for _, e := range r.former() {
			if out := n.without(r.Section, e); out != nil {
				if n, err = parse(out); err != nil {
					return nil, err
				}
			}
		}
	}
	stands := n.keys()
	for i, r := range all {
		if !r.Fact.InForce() || stands[r.key()] {
			continue
		}
		later := func(text string) bool { at, known := place[keyOf(r.Section, text)]; return known && at > i }
		out, err := n.add(r.Section, r.Entry, later)
		if err != nil {
			return nil, err
		}
		if n, err = parse(out); err != nil {
			return nil, err
		}
	}
	return n.src, nil
}

// Holds reports whether a note has the entry in its section, or in one below it.
func Holds(src []byte, section string, e Entry) bool {
	n, err := parse(src)
	if err != nil {
		return false
	}
	s := n.called(section)
	return s != nil && n.holds(s, e)
}

// FirstLine returns the first line of an entry as notes show it.
func (e Entry) FirstLine() string { return e.lines(asMarkdown)[0] }

// keys returns the keys of a note's entries; see keyOf.
func (n *note) keys() map[string]bool {
	all := map[string]bool{}
	for _, s := range n.sections {
		for _, item := range s.items {
			all[keyOf(s.title, n.text(item))] = true
		}
	}
	return all
}

// keyOf returns a section and the words of an entry for comparisons, without time and rationale.
func keyOf(section, text string) string {
	all := words(text)
	for i := range all {
		if i+1 < len(all) && all[i] == "-" && all[i+1] == rationale {
			all = all[:i]
			break
		}
	}
	return plain(section) + "\n" + strings.Join(all, " ")
}

// without returns the note without the entry in forgemind's spelling, or nil if the note does not
// have it.
func (n *note) without(section string, e Entry) []byte {
	want := map[string]bool{}
	for _, write := range []func(string) []string{asMarkdown, asPlainText} {
		want[strings.Join(e.lines(write), "\n")] = true
	}
	s := n.called(section)
	if s == nil {
		return nil
	}
	i := slices.IndexFunc(s.items, func(i item) bool { return want[n.text(i)] })
	if i < 0 {
		return nil
	}
	start, end := s.items[i].start, s.items[i].end
	if i+1 == len(s.items) || s.items[i+1].start != end {
		end = n.lineEnd(end)
	}
	before, after := n.src[:start], n.src[end:]
	if blankEnd(before[n.start:]) && len(after) > 0 && blankStart(after) {
		after = after[strings.IndexByte(string(after), '\n')+1:]
	}
	out := slices.Concat(before, after)
	if now, err := parse(out); err != nil || len(now.sections) != len(n.sections) {
		return nil
	}
	return out
}

// noteOf returns the name of the note below home that shows an entry. An entry of an unknown type
// belongs to the agent.
func noteOf(home string, e Entry) (string, error) {
	name, _, err := Place(home, e)
	if err == nil {
		return name, nil
	}
	file, err := notesOf(e.Agent)
	if err != nil {
		return "", fmt.Errorf("note of %w", err)
	}
	return path.Join(home, fs.MemoryDir, file), nil
}
