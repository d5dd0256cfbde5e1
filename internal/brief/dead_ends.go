package brief

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// deadEnds returns what was tried and given up, the latest first: in turns what a
// decision superseded, what one that holds rejected, and goals and layers that
// were abandoned.
func (rec *Records) deadEnds(c chronicle, cut cuts, most int) (all []Item, total int) {
	abandoned := rec.abandoned(cut)
	for i := 0; i < max(len(c.tried), len(c.reject), len(abandoned)) && len(all) < most; i++ {
		if i < len(c.tried) {
			all = append(all, rec.tried(c.tried[i], cut))
		}
		if i < len(c.reject) {
			all = append(all, rejected(c.reject[i], cut))
		}
		if i < len(abandoned) {
			all = append(all, abandoned[i])
		}
	}
	return all, len(abandoned) + c.superseded + c.rejected
}

// rejected returns what was decided against.
func rejected(d *schema.Decision, cut cuts) Item {
	var texts []string
	for _, text := range d.AlternativesRejected[:min(len(d.AlternativesRejected), 5)] {
		texts = append(texts, quoted(text, cut.short))
	}
	return Item{ID: mark(d.ID), Date: day(d.Timestamp), Text: "rejected " + strings.Join(texts, ", ") + " in favour of " + quoted(d.Decision, cut.short)}
}

// tried returns the counter-memory of a superseded decision: what took its place, and
// what holds by now.
func (rec *Records) tried(s succession, cut cuts) Item {
	text := "tried " + quoted(s.old.Decision, cut.short) + ", replaced by " + mark(s.by.ID) + " " + quoted(s.by.Decision, cut.short) + " on " + day(s.by.Timestamp)
	if holds := rec.holds(s.by.ID); holds != s.by.ID {
		text += ", by now by " + mark(holds)
	}
	return Item{ID: mark(s.old.ID), Date: day(s.old.Timestamp), Text: text}
}

// holds returns the id of the decision that holds by now in place of the one with an id,
// which is the same where nothing superseded it.
func (rec *Records) holds(id string) string {
	for range rec.Standing.All() {
		next, superseded := rec.Standing.SupersededBy(id)
		if !superseded {
			break
		}
		id = next
	}
	return id
}

// DeadEndsFor yields the dead ends that a prompt names, the latest first, each with the
// reason and nothing secret. A prompt names one by its id, or by one of its files, of which
// files are those that the prompt names. Otherwise a sentence of the prompt names one by words
// that do not stand in what took its place: it proposes one ("use chi", "migrate to Rust"); it
// asks why it was given up, or is for going back ("why did we", "instead of"), and has half of
// them or a name; or it asks about it ("what about", "should we") and has all of them or a name.
// records is not called where the prompt does none of this.
func DeadEndsFor(prompt string, files []string, records func() *Records) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		s := search{asked: sentencesOf(prompt), files: files, ids: map[string]bool{}}
		for word := range strings.FieldsFuncSeq(prompt, outsideID) {
			if word = strings.TrimRight(word, "."); hasLetter(word) && strings.ContainsAny(word, "-0123456789") {
				s.ids[word] = true
			}
		}
		if len(s.asked)+len(s.files)+len(s.ids) > 0 {
			s.records = records()
			s.deadEnds(yield)
		}
	}
}

// outsideID reports whether r is no part of an id.
func outsideID(r rune) bool { return r > 0x7F || !schema.ValidID("_"+string(r)) }

// mostLooked bounds the bytes of what was given up that are looked at, the latest first.
const mostLooked = 256 << 10

// A search looks for the dead ends that a prompt names.
type search struct {
	asked   []sentence
	files   []string        // that the prompt names
	ids     map[string]bool // what may be an id in it
	records *Records
	looked  int
}

func (s *search) deadEnds(yield func(Item) bool) {
	rec, cut := s.records, cutsFor(DefaultTokens)
	tell := func(i Item, why string) bool {
		if why = plain(unsecret(why), cut.why); why != "" {
			i.Text += " — because " + why
		}
		return yield(i)
	}
	decisions := rec.Standing.All()
	at := make(map[string]*schema.Decision, len(decisions))
	for i := range decisions {
		at[decisions[i].ID] = &decisions[i]
	}
	for i := range slices.Backward(decisions) {
		d := &decisions[i]
		id, superseded := rec.Standing.SupersededBy(d.ID)
		switch {
		case superseded:
			by, now := at[id], at[rec.holds(id)]
			named := s.ids[d.ID] || slices.ContainsFunc(d.Files, func(file string) bool {
				return !slices.Contains(by.Files, file) && !slices.Contains(now.Files, file) && slices.Contains(s.files, path.Clean(file))
			})
			if (named || s.names(d.Decision, by.Decision, now.Decision)) && !tell(rec.tried(succession{d.ID, shown(d), shown(by)}, cut), by.Rationale) {
				return
			}
		case len(d.AlternativesRejected) > 0:
			named := slices.ContainsFunc(d.AlternativesRejected, func(other string) bool { return s.names(other, d.Decision) && !rec.taken(other, decisions[i+1:]) })
			if named && !tell(rejected(shown(d), cut), d.Rationale) {
				return
			}
		}
	}
	var goals []string
	for _, g := range rec.Hot.ActiveGoals {
		if !isOne(g.Status, givenUp) {
			goals = append(goals, g.Goal)
		}
	}
	for _, g := range rec.Hot.ActiveGoals {
		if isOne(g.Status, givenUp) && (s.ids[g.ID] || s.names(g.Goal, goals...)) {
			if g.Goal = unsecret(g.Goal); !tell(abandonedGoal(g, cut), "") {
				return
			}
		}
	}
}

// names reports whether the prompt names a text that was given up, and not what took its place.
func (s *search) names(gone string, place ...string) bool {
	if s.looked += min(len(gone), longSubject); s.looked > mostLooked || len(s.asked) == 0 {
		return false
	}
	for _, text := range place {
		s.looked += min(len(text), longSubject)
	}
	return newSubject(gone, termSet(place...)).namedIn(s.asked)
}

// taken reports whether one of the decisions, which are later, holds and has all the words of
// what was rejected: then it is no dead end any more.
func (rec *Records) taken(rejected string, later []schema.Decision) bool {
	terms := relevance.Terms(clipped(rejected))
	return slices.ContainsFunc(later, func(d schema.Decision) bool {
		if _, superseded := rec.Standing.SupersededBy(d.ID); superseded {
			return false
		}
		has := termSet(d.Decision)
		return !slices.ContainsFunc(terms, func(term string) bool { return !has[term] })
	})
}

// shown returns a decision with nothing secret in what is told of it.
func shown(d *schema.Decision) *schema.Decision {
	safe := *d
	safe.Decision = unsecret(d.Decision)
	safe.AlternativesRejected = nil
	for _, other := range d.AlternativesRejected[:min(len(d.AlternativesRejected), 5)] {
		safe.AlternativesRejected = append(safe.AlternativesRejected, unsecret(other))
	}
	return &safe
}

func unsecret(text string) string {
	masked, _ := secret.Mask(clipped(text))
	return masked
}
