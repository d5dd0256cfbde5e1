package exporter

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// A File is a file that is exported.
type File struct {
	Name string // relative to the directory that is exported to
	Data []byte
}

// recordName matches the name of a decision record: a number and a title.
var recordName = lazyregexp.New(`^([0-9]{1,9})-.*\.md$`)

// maxTitle is the maximum length of the title of a decision record, in characters.
const maxTitle = 100

// A numbering gives decisions the names of files. A name that was given stays.
type numbering struct {
	names map[string]string // by id of the decision
	last  int               // the highest number of a file
}

// newNumbering returns the numbering of the decision records in a directory: names are its
// files, and read returns their content.
func newNumbering(names []string, read func(name string) ([]byte, error)) numbering {
	n := numbering{names: map[string]string{}}
	for _, name := range names {
		match := recordName.FindStringSubmatch(name)
		if match == nil {
			continue
		}
		number := 0
		for _, digit := range match[1] {
			number = 10*number + int(digit-'0')
		}
		n.last = max(n.last, number)
		src, err := read(name)
		if id, _ := readStamp(src); err == nil && id != "" && n.names[id] == "" {
			n.names[id] = name
		}
	}
	return n
}

// add gives a decision the next number, unless it has one.
func (n *numbering) add(d *schema.Decision) {
	if n.names[d.ID] == "" {
		n.last++
		n.names[d.ID] = fmt.Sprintf("%04d-%s.md", n.last, condense.Slug(titleOf(d)))
	}
}

// link returns a link to the record of a decision.
func (n *numbering) link(id string) string {
	if name := n.names[id]; name != "" {
		return "[" + n.cite(id) + "](" + name + ")"
	}
	return "decision " + inline(id)
}

// cite returns the name of the record of a decision as MADR cites it, such as ADR-0007.
func (n *numbering) cite(id string) string {
	digits, _, _ := strings.Cut(n.names[id], "-")
	return "ADR-" + digits
}

// ADRs returns the decisions of a tree as decision records in the form of MADR 4, and what
// could not be exported. Decisions are numbered in order of time, after the records that
// are in the directory out already; those that are there keep their names. With since,
// only newer decisions are returned, and those that they supersede.
func ADRs(tree *fs.Tree, out *fs.Outside, dir string, since time.Time) ([]File, []Fault, error) {
	names, err := out.Names(dir)
	if err != nil {
		return nil, nil, err
	}
	r := adrRendering{
		standing:  engine.StandingOf(tree),
		numbering: newNumbering(names, func(name string) ([]byte, error) { return out.Read(path.Join(dir, name)) }),
		talks:     map[string]condense.Condensation{},
	}
	talks, _, _ := condense.Condensations(tree)
	for _, c := range talks {
		r.talks[c.DecisionID] = c.Condensation
	}
	var faults []Fault
	var chosen []*schema.Decision
	all := r.standing.All()
	times := make(map[string]string, len(all))
	for i := range all {
		times[all[i].ID] = all[i].Timestamp
	}
	q := Query{Since: since}
	for i := range all {
		d := &all[i]
		by, _ := r.standing.SupersededBy(d.ID)
		switch {
		case !schema.ValidID(d.ID):
			faults = append(faults, Fault{text.Quote(d.ID, 40), fmt.Errorf("a decision without a valid id")})
			continue
		case q.isNew(d.Timestamp) || by != "" && q.isNew(times[by]):
			chosen = append(chosen, d)
		}
		r.numbering.add(d)
	}
	files := make([]File, 0, len(chosen))
	for _, d := range chosen {
		files = append(files, File{path.Join(dir, r.names[d.ID]), Stamp([]byte(r.render(d)), d.ID)})
	}
	return files, faults, nil
}

// An adrRendering is the rendering of decisions as decision records.
type adrRendering struct {
	numbering
	standing schema.Standing
	talks    map[string]condense.Condensation // by id of the decision that a discussion came to
}

// render returns a decision as a decision record.
func (r *adrRendering) render(d *schema.Decision) string {
	var b strings.Builder
	status := "accepted"
	by, superseded := r.standing.SupersededBy(d.ID)
	if superseded {
		status = "superseded by " + r.cite(by)
	}
	b.WriteString("---\nstatus: " + scalar(status) + "\n")
	if date := day(d.Timestamp); date != "" {
		b.WriteString("date: " + scalar(date) + "\n")
	}
	if who := cmp.Or(d.DecisionMaker, d.RecordedBy); who != "" {
		b.WriteString("decision-makers: [" + scalar(who) + "]\n")
	}
	fmt.Fprintf(&b, "---\n\n# %s\n\n## Context and Problem Statement\n\n%s\n", inline(titleOf(d)), r.context(d))
	section(&b, "## Considered Options", append([]string{titleOf(d)}, d.AlternativesRejected...))
	outcome := "Chosen option: \"" + inline(titleOf(d)) + `"`
	if d.Rationale != "" {
		outcome += ", because " + strings.TrimRight(inline(d.Rationale), ".")
	}
	b.WriteString("\n## Decision Outcome\n\n" + outcome + ".\n")
	if decided := clean(d.Decision); strings.TrimRight(text.OneLine(decided), ".") != titleOf(d) {
		b.WriteString("\n" + quote(decided))
	}
	section(&b, "### Consequences", d.Impact)
	b.WriteString("\n## More Information\n\n")
	r.links(&b, d, by)
	return b.String()
}

// context returns what is known of the question that a decision answers.
func (r *adrRendering) context(d *schema.Decision) string {
	var parts []string
	if talk, ok := r.talks[d.ID]; ok && talk.Context != "" {
		parts = append(parts, inline(talk.Context))
	}
	where := ""
	if d.Project != "" {
		where += " in project " + inline(d.Project)
	}
	if d.Channel != "" {
		where += " in channel #" + inline(strings.TrimPrefix(d.Channel, "#"))
	}
	if where != "" {
		parts = append(parts, "The decision was made"+where+".")
	}
	if len(parts) == 0 {
		return "The decision was recorded without its context."
	}
	return strings.Join(parts, "\n\n")
}

// links writes what a decision record refers to.
func (r *adrRendering) links(b *strings.Builder, d *schema.Decision, by string) {
	for _, id := range d.Supersedes {
		fmt.Fprintf(b, "* Supersedes %s\n", r.link(id))
	}
	if by != "" {
		fmt.Fprintf(b, "* Superseded by %s\n", r.link(by))
	}
	if talk, ok := r.talks[d.ID]; ok {
		fmt.Fprintf(b, "* Discussion: %s\n", inline(cmp.Or(talk.Topic, talk.Name)))
	}
	for _, file := range d.Files {
		fmt.Fprintf(b, "* File: %s\n", inline(file))
	}
	fmt.Fprintf(b, "* Decision %s in forgemind", d.ID)
	if d.RecordedBy != "" && d.RecordedBy != d.DecisionMaker {
		b.WriteString(", recorded by " + inline(d.RecordedBy))
	}
	if d.Origin != "" && d.Origin != schema.OriginExplicit {
		b.WriteString(" (" + inline(d.Origin) + ")")
	}
	b.WriteString("\n")
}

// section writes a heading and a list, unless the list is empty.
func section(b *strings.Builder, heading string, items []string) {
	if len(items) == 0 {
		return
	}
	b.WriteString("\n" + heading + "\n\n")
	for _, item := range items {
		b.WriteString("* " + inline(item) + "\n")
	}
}

// titleOf returns what a decision says, on one line.
func titleOf(d *schema.Decision) string {
	return text.Limit(strings.TrimRight(text.OneLine(cmp.Or(clean(d.Decision), d.ID)), "."), maxTitle)
}

// quote returns a text as a block quote of markdown.
func quote(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		b.WriteString(strings.TrimRight("> "+markup.Replace(visible(line)), " ") + "\n")
	}
	return b.String()
}

// scalar returns a text as a value in YAML, in quotes where it needs them.
func scalar(s string) string {
	s = visible(text.OneLine(clean(s)))
	if plainScalar.MatchString(s) {
		return s
	}
	quoted, err := jsonedit.Value(s)
	if err != nil {
		return `""`
	}
	return string(quoted)
}

// plainScalar matches texts that YAML takes for a string or a date without quotes.
var plainScalar = lazyregexp.New(`^(accepted|superseded by ADR-[0-9]+|[0-9]{4}-[0-9]{2}-[0-9]{2})$`)
