package validate

import (
	"bytes"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

var unrecordedSupersession = Rule{
	Name:     "unrecorded-supersession",
	Severity: Warning,
	Summary:  "A condensation replaces what no decision of the Ledger replaces.",
	Help: `What holds is answered by the Ledger alone. A condensation says behind **Supersedes:**
what it replaces, and behind **Ledger:** which decision it became; the two must agree:

- what stands there in words, and not as an id, replaces nothing
- an id must be a decision's that the Ledger or a view holds
- a decision that it replaces must be superseded in the Ledger, too

Otherwise people read that something is replaced, and every command still shows it as
current.

Wrong:

    **Supersedes:** the Zerodur decision

Right:

    **Supersedes:** DEC-7F3K2Q

To mend it, find the decision with ` + "`forgemind decision list`" + `, write its id into the
condensation, and record what replaces it with ` + "`forgemind decision supersede`" + ` where the
Ledger does not have it.
`,
	whole: func(d *document) {
		if d.facts != nil && isCondensation(d.name) {
			d.condensation()
		}
	},
	across: func(c *census) { c.replacements() },
}

// isCondensation says whether a condensation stands at name.
func isCondensation(name string) bool {
	if !strings.Contains(name, "/condensations/") { // as of most
		return false
	}
	_, inside, ok := treeName(name)
	_, place, _ := strings.Cut(inside, "/")
	return ok && strings.HasPrefix(place, "condensations/") && strings.HasSuffix(place, ".md")
}

// formLabel is a line of the form: its label, and what follows it.
var formLabel = lazyregexp.New(`^(?:[-*+][ \t]+)?\*\*([A-Za-z][A-Za-z ]{1,20}?)(?:\*\*[ \t]*:|:\*\*)[ \t]*(.*)$`)

// condensation notes what a condensation says that it replaces, and which decision
// it became.
func (d *document) condensation() {
	under, offset, before := "", 0, len(d.facts.replaces)
	for line := range bytes.Lines(d.src) {
		at := offset
		offset += len(line)
		text := strings.TrimRight(string(line), "\r\n \t")
		if len(d.facts.replaces)-before > maxFaults {
			return
		}
		if m := formLabel.FindStringSubmatchIndex(text); m != nil {
			under = strings.ToLower(text[m[2]:m[3]])
			at += m[4]
			text = text[m[4]:m[5]]
		} else if strings.HasPrefix(text, "#") {
			under = ""
		}
		if under == "supersedes" || under == "ledger" {
			d.replaced(under, text, at)
		}
	}
}

// replaced notes the ids on a line, or its words where it has others.
func (d *document) replaced(label, text string, at int) {
	trimmed := strings.TrimLeft(text, " \t-*+•")
	at += len(text) - len(trimmed)
	switch strings.ToLower(strings.Trim(trimmed, "_*. ")) {
	case "", "none", "none named", "n/a", "nothing", "–", "—":
		return
	}
	note := func(id string, offset int, what string) {
		d.facts.replaces = append(d.facts.replaces, reference{spot: spot{name: d.name, offset: offset}, id: id, what: what})
	}
	ids := strings.FieldsFunc(trimmed, func(r rune) bool { return r == ',' || r == ';' || r == ' ' })
	for _, id := range ids {
		if !recordID(id) {
			if label == "supersedes" {
				note(trimmed, at, "words")
			}
			return
		}
	}
	from := 0
	for _, id := range ids {
		i := from + strings.Index(trimmed[from:], id)
		note(id, at+i, label)
		from = i + len(id)
	}
}

// recordID says whether a word is an id as decisions have them: not every one that
// is drawn has a digit.
func recordID(word string) bool {
	return isID(word) && (strings.ContainsAny(word, "0123456789") || strings.HasPrefix(word, "DEC-")) &&
		strings.ContainsAny(word, "-_") && !strings.HasPrefix(word, "thread-")
}

// replacements reports what condensations say of the Ledger that it does not say.
func (c *census) replacements() {
	known, gone, proposed := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, list := range [][]decision{c.ledger, c.views} {
		for _, d := range list {
			known[d.id] = true
		}
	}
	for _, id := range c.superseded {
		gone[id] = true
	}
	for _, id := range c.proposed {
		proposed[id] = true
	}
	asked := map[string]bool{} // condensations, by their Names, that came to a proposal: it replaces nothing yet
	for _, r := range c.replaces {
		asked[r.name] = asked[r.name] || r.what == "ledger" && proposed[r.id]
	}
	bySpot(c.replaces, func(r reference) spot { return r.spot })
	for _, r := range c.replaces {
		switch {
		case r.what == "words":
			c.at(r.spot, "what it supersedes is named in words: "+quoted(r.id), "write the id of the decision that is meant; 'forgemind decision list' shows them")
		case !known[r.id]:
			c.at(r.spot, danglingMessage(r.id, "decision"), "correct the id; 'forgemind decision list' shows those there are")
		case r.what == "supersedes" && !gone[r.id] && !asked[r.name]:
			c.at(r.spot, "the decision "+plain(r.id)+" is superseded here, and holds by the Ledger",
				"record what replaces it with forgemind decision supersede, or take the id out here")
		}
	}
}

// noteReplaced keeps what a decision supersedes.
func (f *facts) noteReplaced(d *document, decision int) {
	node := d.tape.Member(decision, "supersedes")
	if d.proposes(decision) {
		id, _ := decisionMembers(&d.tape, decision)
		f.proposed = append(f.proposed, d.str(id))
		return
	}
	if d.text(node) != nil {
		f.superseded = append(f.superseded, d.str(node))
		return
	}
	for c := d.first(node); c >= 0; c = d.next(c) {
		if d.text(c) != nil {
			f.superseded = append(f.superseded, d.str(c))
		}
	}
}
