package condense

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/forgemind/forgemind/schema"
	"pgregory.net/rapid"
)

// said is a discussion, a message each: "who: text". A minute passes between
// them.
func said(lines ...string) (all []schema.Message) {
	begin := time.Date(2026, 2, 15, 10, 0, 0, 0, time.UTC)
	for i, line := range lines {
		who, text, _ := strings.Cut(line, ": ")
		all = append(all, schema.Message{
			ID: fmt.Sprintf("msg-%d", i), Timestamp: schema.FormatTime(begin.Add(time.Duration(i) * time.Minute)), Agent: who, Content: text,
		})
	}
	return all
}

// The document's own example, as it may have been discussed.
var material = said(
	"manager: Material selection: Zerodur vs CCZ HS for the M2 mirror?",
	"optics: Zerodur Class 0 has the best CTE, but the quote is 40% over budget.",
	"thermal: CCZ HS matches Zerodur Class 0 within the measurement error between -20 and 40 °C.",
	"optics: Hmm, the lead time for Zerodur is 30 weeks as well.",
	"thermal: I suggest we take Clearceram-Z HS.",
	"manager: Agreed. Let's go with Clearceram-Z HS because its CTE matches Zerodur Class 0 and it is cheaper. This supersedes DEC-001.",
	"optics: 👍 I'll update the material card in the model by Friday.",
	"manager: @thermal please ask the supplier for a quote.",
	"manager: 📝 condense this discussion",
)

func TestDraftOfADiscussion(t *testing.T) {
	got := string(Draft(material, DraftOptions{Topic: "M2 mirror material", Channel: "#proj-starspec-wfe", Thread: "thread-1"}).Markdown())
	want := `## 📝 Condensation: M2 mirror material
**Date:** 2026-02-15
**Channel:** #proj-starspec-wfe
**Participants:** manager, optics, thermal
**Context:** Material selection: Zerodur vs CCZ HS for the M2 mirror? CCZ HS matches Zerodur Class 0 within the measurement error between -20 and 40 °C.
**Decision:** Let's go with Clearceram-Z HS.
**Rationale:** Its CTE matches Zerodur Class 0 and it is cheaper.
**Action items:**
- optics: I'll update the material card in the model by Friday.
- thermal: Ask the supplier for a quote.

**Supersedes:** DEC-001
**Thread:** thread-1
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWhatIsDecided(t *testing.T) {
	for name, c := range map[string]struct {
		talk                []schema.Message
		decision, rationale string
	}{
		"the last word counts": {said(
			"ann: Should we drop Python 3.8?", "bob: Let's go with dropping 3.8 in the next minor.", "cy: Wait, two customers still run it.",
			"bob: Actually, let's keep 3.8 until January, since two customers still run it.", "ann: Agreed."),
			"Let's keep 3.8 until January.", "Two customers still run it."},
		"a label": {said("ann: Which port?", "bob: No idea.", "ann: Decision: Port 8443\nRationale: 443 needs root"), "Port 8443.", "443 needs root."},
		"what leads to it, and what it replaces, stand elsewhere": {said("ann: Which port?", "bob: We decided: Port 8443, because 443 needs root. This replaces the decision about port 80."), "Port 8443.", "443 needs root."},
		"what is done, where somebody agrees":                     {said("ann: which port?", "bob: we use 8443 because 443 needs root", "ann: agreed"), "We use 8443.", "443 needs root."},
		"what \"that\" means is quoted too": {said(
			"ann: which queue should we use for the mail jobs?", "cy: postgres with SKIP LOCKED would do, it is backed up",
			"bob: true", "ann: ok let's do that"),
			"Postgres with SKIP LOCKED would do, it is backed up. Let's do that.", ""},
		"speech as it was written down": {said(
			"A: Um , what {disfmarker} what about the case , do we {disfmarker} do we keep rubber ?", "B: Rubber is over the budget , I think .",
			"A: So {disfmarker} so we 'll uh we 'll go with plastic for the case then .", "B: Yeah .", "C: Okay ."),
			"We'll go with plastic for the case then.", ""},
		"a question decides nothing":     {said("ann: Shall we go with Redis?", "bob: So we'll go with Postgres for the queue?", "ann: Let me think about it."), "", ""},
		"an objection":                   {said("ann: We could use Redis for the queue.", "bob: No, it loses data.", "cy: I don't think so either."), "", ""},
		"a condition":                    {said("ann: If the tests pass we could ship the queue on Monday, maybe.", "bob: Let me look at the log first."), "", ""},
		"courtesies":                     {said("ann: good morning!", "bob: hey, how was the weekend?", "ann: Great, we went hiking. You?", "bob: Slept a lot :)"), "", ""},
		"code and quotes decide nothing": {said("ann: ```\nwe decided on Redis for the queue\n```", "bob: > we decided on Redis for the queue\nwhere is this from?"), "", ""},
		"nobody":                         {nil, "", ""},
	} {
		got := Draft(c.talk, DraftOptions{})
		if got.Decision != c.decision || got.Rationale != c.rationale {
			t.Errorf("%s: got %q because %q", name, got.Decision, got.Rationale)
		}
		if open := strings.Contains(strings.Join(got.Missing, ","), "Decision"); open != (c.decision == "") {
			t.Errorf("%s: missing are %q", name, got.Missing)
		}
	}
}

func TestWhoDoesWhat(t *testing.T) {
	for name, c := range map[string]struct {
		talk []schema.Message
		want []string
	}{
		"who promises": {said("ann: We go with the new index.", "bob: I'll write the migration by tomorrow."), []string{"bob: I'll write the migration by tomorrow."}},
		"who is asked, and accepts": {said("ann: The index is too slow.", "ann: bob, can you write the migration of the index?", "bob: sure, by tomorrow"),
			[]string{"bob: Write the migration of the index."}},
		"who is asked, and refuses": {said("ann: The index is too slow.", "ann: bob, can you write the migration of the index?", "bob: no, I am away"), nil},
		"a list": {said("ann: Action items:\n- bob: write the migration of the index\n- Update the runbook for the index", "bob: ok"),
			[]string{"bob: Write the migration of the index.", "_nobody named_: Update the runbook for the index."}},
		"what only might be": {said("ann: I'll write a test for the index if we need it.", "bob: I can't check the index today."), nil},
	} {
		if got := Draft(c.talk, DraftOptions{Topic: "index"}).ActionItems; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestTopicAndDate(t *testing.T) {
	for name, c := range map[string]struct {
		talk        []schema.Message
		o           DraftOptions
		topic, date string
	}{
		"given":               {material, DraftOptions{Topic: " M2\nmirror ", Date: time.Date(2026, 3, 1, 1, 0, 0, 0, time.FixedZone("", 7200))}, "M2 mirror", "2026-02-28"},
		"what is asked first": {material, DraftOptions{}, "Material selection: Zerodur vs CCZ HS for the M2 mirror?", "2026-02-15"},
		"a heading":           {said("ann: # The queue\n\nIt loses mails.", "bob: Why?"), DraftOptions{}, "The queue", "2026-02-15"},
		"a subject":           {said("ann: Subject: lost mails", "bob: Why?"), DraftOptions{}, "lost mails", "2026-02-15"},
		"none":                {said("ann: hi", "bob: hello"), DraftOptions{}, "", "2026-02-15"},
		"no times":            {[]schema.Message{{Agent: "ann", Content: "hi"}}, DraftOptions{}, "", ""},
	} {
		if got := Draft(c.talk, c.o); got.Topic != c.topic || got.Date != c.date {
			t.Errorf("%s: got %q of %q", name, got.Topic, got.Date)
		}
	}
}

func TestSupersedes(t *testing.T) {
	for text, want := range map[string][]string{
		"This supersedes DEC-001 and DEC-7F3K2Q.":             {"DEC-001", "DEC-7F3K2Q"},
		"It replaces the Zerodur decision of February 5.":     {"the Zerodur decision of February 5"},
		"Supersedes: the monolithic FEM":                      {"The monolithic FEM"},
		"Does this supersede DEC-001?":                        nil,
		"We decided it in DEC-001.":                           nil,
		"The new part replaces the old bracket of the mount.": nil,
	} {
		if got := Draft(said("ann: Which material?", "bob: "+text), DraftOptions{}).Supersedes; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q", text, got)
		}
	}
}

func TestAsked(t *testing.T) {
	for text, want := range map[string]bool{
		"📝 condense this discussion":                      true,
		"Condense this discussion":                        true,
		"ok. 📝 CONDENSE THIS DISCUSSION please":           true,
		"@secretary can you condense this thread?":        true,
		"Great, all said.\nPlease condense this.":         true,
		"📝 condense":                                      true,
		"don't condense this discussion yet":              false,
		"Should we condense this discussion?":             false,
		"When we are done, condense this discussion.":     false,
		"Condense this discussion tomorrow.":              false,
		"condense this discussion once ann has answered":  false,
		"Condense this discussion, please, after all.":    true,
		"> condense this discussion":                      false,
		"Write \"condense this discussion\" to get one.":  false,
		"`condense this discussion` is what starts it":    false,
		"```\ncondense this discussion\n```":              false,
		"## 📝 Condensation: x\ncondense this discussion":  false,
		"We need a condenser for the steam.":              false,
		"Bob said condense this discussion, but why?":     false,
		"We condensed this discussion yesterday already.": false,
		"": false,
	} {
		if got := Asked(schema.Message{Agent: "ann", Content: text}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if Asked(schema.Message{Role: "tool", Content: "condense this discussion"}) {
		t.Error("a tool asks for nothing")
	}
}

// Who asks, and says something beside it, takes part in the discussion.
func TestMerelyAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"📝 condense this discussion":                          true,
		"@secretary, could you condense this thread, please?": true,
		"📝 Condense!":                                true,
		"Thanks! Condense this.":                     true,
		"Agreed, condense this discussion":           false,
		"👍 condense this discussion":                 false,
		"+1 condense this discussion":                false,
		"condense this agreed discussion, it is oak": false,
		"Decision: oak.\ncondense this discussion":   false,
		"`oak` condense this discussion":             false,
		"Thank you":                                  false,
	} {
		if got := merelyAsks(schema.Message{Agent: "ann", Content: text}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestConcluded(t *testing.T) {
	open := []string{"ann: Which queue for the mail jobs?", "bob: Redis loses data.", "cy: Let's go with Postgres for the queue."}
	for name, c := range map[string]struct {
		more []string
		at   int // -1 for not
	}{
		"nobody answered":            {nil, -1},
		"somebody agreed":            {[]string{"ann: Agreed."}, 2},
		"and work follows":           {[]string{"ann: 👍", "bob: I'll write the migration."}, 2},
		"somebody closed it":         {[]string{"cy: That settles it."}, 2},
		"somebody objected":          {[]string{"ann: No, it is too slow."}, -1},
		"an objection afterwards":    {[]string{"ann: Agreed.", "bob: Wait, it is too slow."}, -1},
		"a question is open":         {[]string{"ann: Agreed.", "bob: How do we back it up?"}, -1},
		"the question was answered":  {[]string{"ann: Agreed.", "bob: How do we back it up?", "ann: As we do now, with the nightly job."}, 2},
		"they have moved on":         {strings.Split(strings.Repeat("ann: The weather is nice today.\n", 7), "\n")[:7], -1},
		"condensed already":          {[]string{"ann: Agreed.", "secretary: ## 📝 Condensation: Queue\n**Decision:** Postgres"}, -1},
		"it was condensed, and more": {[]string{"ann: Agreed.", "secretary: ## 📝 Condensation: Queue\n**Decision:** Postgres", "bob: Thanks."}, -1},
	} {
		at, why, ok := Concluded(said(append(open, c.more...)...), nil, nil)
		if ok != (c.at >= 0) || ok && (at != c.at || !strings.Contains(why, "Let's go with Postgres")) {
			t.Errorf("%s: %d %q %v", name, at, why, ok)
		}
	}
	if at, why, ok := Concluded(said("manager: Which queue?", "bob: Redis or Postgres.", "manager: We'll use Postgres for the queue."), []string{"manager"}, nil); at != 2 || !ok {
		t.Errorf("a boss decides alone: %d %q %v", at, why, ok)
	}
	if _, why, ok := Concluded(said("ann: good morning", "bob: hey", "ann: nice weather", "bob: yes"), nil, nil); ok {
		t.Errorf("courtesies concluded: %q", why)
	}
}

// Without its hesitation "?A So we'll" is "? we'll", where a sentence ends.
func TestAQuestionBesideADecisionDoesNotDecide(t *testing.T) {
	talk := said("ann: A?A So {disfmarker} so we 'll uh we 'll go with plastic then .")
	if c := Draft(talk, DraftOptions{Channel: "dev"}); c.Decision != "" {
		t.Errorf("it decides %q", c.Decision)
	}
}

// bits are what discussions are made of here: decisions, questions, courtesies,
// speech with its marks, code, half a quote, and what is made to break a reader.
var bits = []string{
	"Let's go with Postgres for the queue because it is backed up.", "Should we use Redis?", "ok", "Agreed.", "hi all!", "I'll write the migration by Friday.",
	"So {disfmarker} so we 'll uh we 'll go with plastic then .", "um , I I think that {vocalsound} the the curve is fine .", "He said \"we use", "Redis\" and (then",
	"```\nx := 1\n```", "> we decided on Redis", "- [ ] Update the runbook", "Action items: test it; ship it", "@bob can you check the index?", "**Decision:** 1-hour TTL.",
	"我们决定使用Redis，因为快。", "\x00\x1b[31m\xff", "This supersedes DEC-001.", "📝 condense this discussion", "## 📝 Condensation: x", strings.Repeat("very long ", 60) + ".", "(", "…",
	"Rationale: safer\r\nNext steps:\r\n- a b c d e f\r\n", "No, that is too slow.", "Actually, let's keep it as it is until January.", "e.g. this one, i.e. 3.5 vs. 4.",
}

func TestPropertiesOfADraft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		talk := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) schema.Message {
			texts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(bits), rapid.StringN(0, 40, 200)), 1, 4).Draw(t, "texts")
			return schema.Message{
				Agent: rapid.SampledFrom([]string{"ann", "bob", "Cy, the boss", "", "manager"}).Draw(t, "who"), Content: strings.Join(texts, rapid.SampledFrom([]string{" ", "\n"}).Draw(t, "by")),
				Timestamp: rapid.SampledFrom([]string{"", "2026-02-15T10:00:00Z", "2026-02-14T10:00:00Z", "yesterday"}).Draw(t, "time"), Role: rapid.SampledFrom([]string{"", "user", "assistant", "tool"}).Draw(t, "role"),
			}
		}), 0, 25).Draw(t, "talk")
		o := DraftOptions{Channel: "dev", Bosses: []string{"manager"}}
		c := Draft(talk, o)
		if again := Draft(talk, o); !reflect.DeepEqual(c, again) {
			t.Fatalf("%+v, and then %+v", c, again)
		}
		if n := len(c.Markdown()); n > 12<<10 {
			t.Fatalf("%d bytes", n)
		}
		read, err := ReadCondensation("", c.Markdown())
		if err != nil || read.Decision != c.Decision || !reflect.DeepEqual(read.Missing, c.Missing) {
			t.Fatalf("%+v is read as %+v, %v", c, read, err)
		}
		heard := make([]string, len(talk))
		for i, m := range talk {
			heard[i] = letters(m.Content)
		}
		quotes := []string{c.Context, c.Decision, c.Rationale}
		for _, item := range c.ActionItems {
			_, text, _ := strings.Cut(item, ": ")
			quotes = append(quotes, text)
		}
		for _, text := range quotes {
			for _, part := range split(text) {
				if !spokenIn(heard, letters(part)) {
					t.Fatalf("nobody said %q: %q", part, heard)
				}
			}
		}
		for _, part := range split(c.Decision) {
			if strings.HasSuffix(strings.TrimSpace(part), "?") {
				t.Fatalf("a question decides: %q", part)
			}
		}
	})
}

// letters is a text's letters and digits in lower case, a blank between words.
func letters(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// spokenIn says whether the words of a sentence stand in one message in their
// order: those left out are hesitation.
func spokenIn(heard []string, sentence string) bool {
	words := strings.Fields(sentence)
	for _, text := range heard {
		at := 0
		for word := range strings.FieldsSeq(text) {
			if at < len(words) && words[at] == word {
				at++
			}
		}
		if at == len(words) {
			return true
		}
	}
	return false
}

func TestResolved(t *testing.T) {
	decisions := []schema.Decision{
		{ID: "DEC-001", Timestamp: "2026-02-03T00:00:00Z", Decision: "Single monolithic FEM"},
		{ID: "DEC-002", Timestamp: "2026-02-05T00:00:00Z", Decision: "Material: Zerodur Class 0"},
		{ID: "DEC-003", Timestamp: "2026-02-06T00:00:00Z", Decision: "Material of the bolts: Invar", Supersedes: schema.IDs{"DEC-001"}},
	}
	for name, want := range map[string]string{
		"dec-002":                             "DEC-002",
		"the Zerodur decision of February 5":  "DEC-002",
		"Zerodur Class 0":                     "DEC-002",
		"the material decision":               "the material decision",               // there are two
		"the monolithic FEM":                  "the monolithic FEM",                  // superseded already
		"the old plan":                        "the old plan",                        // says nothing
		"the adhesive for the Zerodur mirror": "the adhesive for the Zerodur mirror", // too little
		"DEC-9":                               "DEC-9",
	} {
		if got := ResolveNames([]string{name, name}, decisions); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
