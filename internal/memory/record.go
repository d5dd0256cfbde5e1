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

// A Record is an entry that stands in a file of its own. The note shows it.
type Record struct {
	Entry
	Note    string         // the name of the markdown that shows it
	Section string         // the title of its section there
	Fact    records.Record // with its changes
}

// Records returns the entries of agents' notes that have a record, removed ones too,
// in order of time, and the files that could not be read.
func Records(r fs.Reader) (all []Record, faults []records.Fault) {
	found, faults := records.All(r, records.Note)
	for _, fact := range found {
		var n schema.NoteRecord
		err := fact.Decode(&n)
		if err == nil && n.Section == "" {
			continue // a session keeps it in mind
		}
		e := Entry{Type: n.Type, Text: n.Note, Rationale: n.Rationale, Time: n.Created, Agent: n.Agent}
		var name string
		if err == nil {
			name, err = noteOf(path.Dir(path.Dir(fact.Name)), e)
		}
		if err != nil {
			faults = append(faults, records.Fault{Name: fact.Name, Err: err})
			continue
		}
		all = append(all, Record{Entry: e, Note: name, Section: n.Section, Fact: fact})
	}
	slices.SortStableFunc(all, func(a, b Record) int {
		return cmp.Or(a.made().Compare(b.made()), cmp.Compare(a.Fact.ID, b.Fact.ID))
	})
	return all, faults
}

// AddRecord stages a record of an entry below home. by is who writes it.
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
	_, err = records.Note.In(home).Add(tx, id, schema.NoteRecord{
		ID: id, Note: e.Text, Agent: cmp.Or(e.Agent, facilitator), Created: e.Time, Section: section, Type: e.Type, Rationale: e.Rationale, By: by,
	})
	return err
}

// Change stages a change of the record, which sets members of schema.NoteRecord.
func (r Record) Change(tx *fs.Tx, c records.Change, set map[string]any) error {
	_, err := r.Fact.Change(tx, c, set)
	return err
}

// made returns when the entry was made; zero where it does not say so.
func (r Record) made() time.Time {
	at, _ := schema.ParseTime(r.Time)
	return at
}

// former returns what the record said before, and what it says if it was removed.
func (r Record) former() (all []Entry) {
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
		for _, why := range said("rationale") {
			if e := r.Entry; text != e.Text || why != e.Rationale || !r.Fact.InForce() {
				e.Text, e.Rationale = text, why
				all = append(all, e)
			}
		}
	}
	return all
}

// Load returns the file called name, or the template where there is no file.
func Load(r fs.Reader, name string) (src []byte, found bool, err error) {
	src, err = r.Read(name)
	if errors.Is(err, iofs.ErrNotExist) {
		src, err = templates.MemoryNote(path.Base(name))
		return src, false, err
	}
	return src, true, err
}

// Render returns src, the note called name, as its records have it: with the entries
// that it lacks, each in front of later ones, and without those that were removed or
// say something else now. Every other byte stays, and rendering twice changes nothing.
func Render(src []byte, name string, all []Record) ([]byte, error) {
	all = slices.DeleteFunc(slices.Clone(all), func(r Record) bool { return r.Note != name })
	n, err := parse(src)
	if err != nil {
		return nil, err
	}
	place := map[string]int{} // of an entry in order of time
	for i, r := range all {
		if r.Fact.InForce() {
			place[keyOf(r.Section, strings.Join(asMarkdown(r.Text), "\n"))] = i
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
		if !r.Fact.InForce() || stands[keyOf(r.Section, strings.Join(asMarkdown(r.Text), "\n"))] {
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

// keys returns the entries of a note; see keyOf.
func (n *note) keys() map[string]bool {
	all := map[string]bool{}
	for _, s := range n.sections {
		for _, item := range s.items {
			all[keyOf(s.title, n.text(item))] = true
		}
	}
	return all
}

// keyOf returns a section and the words of an entry in it, as entries are compared:
// without time and rationale.
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

// without returns the note without the entry, written as forgemind writes it; nil
// where it does not stand.
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

// noteOf returns the name of the note below home that shows an entry. A type that this
// version does not know belongs to the agent.
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
