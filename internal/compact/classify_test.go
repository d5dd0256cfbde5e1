package compact

import (
	"testing"

	"github.com/forgemind/forgemind/schema"
)

func TestWhatKindAMessageIsOf(t *testing.T) {
	o := options("", 0)
	for _, c := range []struct {
		story string
		m     schema.Message
		want  string
	}{
		{"its own kind wins", schema.Message{Kind: "message", Agent: "Boss", Content: "decided"}, Message},
		{"a kind that nobody knows does not", schema.Message{Kind: "blob", Agent: "Boss", Content: "I decided"}, Decision},
		{"the boss decides", schema.Message{Agent: "Boss", Content: "Decision: keep six layers"}, Decision},
		{"in whatever case, agent and phrase", schema.Message{Agent: "BOSS", Content: "APPROVED!"}, Decision},
		{"with a curly apostrophe and a line break", schema.Message{Agent: "Boss", Content: "let’s go\nwith Go"}, Decision},
		{"a user without a name is the user", schema.Message{Role: "user", Content: "we'll use SQLite"}, Decision},
		{"an agent decides nothing", schema.Message{Agent: "BA Agent", Role: "assistant", Content: "I decided to read it"}, Message},
		{"a part of a word is no phrase", schema.Message{Agent: "Boss", Content: "It was undecided, disapproved"}, Message},
		{"a user's answer inside a tool's result decides", schema.Message{Role: "user", Agent: "user", ToolName: "AskUserQuestion", Content: "Let's go with Postgres"}, Decision},
		{"and is no tool output", schema.Message{Role: "user", Agent: "user", ToolName: "AskUserQuestion", Content: "Postgres"}, Message},
		{"a tool's output is that whatever it says", schema.Message{Role: "tool", Agent: "Bash", ToolName: "Bash", Content: "decided: approved?"}, ToolOutput},
		{"also without a role", schema.Message{ToolName: "Bash", Content: "ok"}, ToolOutput},
		{"a call of a tool is a message", schema.Message{Role: "assistant", ToolName: "Grep", Content: `Grep {"pattern":"layer 1 to 2"}`}, Message},
		{"a question", schema.Message{Role: "assistant", Content: "Shall I go on?\n"}, Question},
		{"in quotes and emphasis", schema.Message{Role: "assistant", Content: "**Shall I go on?**"}, Question},
		{"a question mark on the way is none", schema.Message{Role: "assistant", Content: "Why? Because."}, Message},
		{"a step between layers", schema.Message{Role: "assistant", Content: "layer 1 → 2"}, LayerChange},
		{"by name", schema.Message{Role: "assistant", Content: "Moving to layer MODULE."}, LayerChange},
		{"another sort of layer", schema.Message{Role: "assistant", Content: "We are moving to layer caching."}, Message},
		{"a clarification that says so", schema.Message{Role: "assistant", Content: "To clarify, the tax is included."}, Clarification},
		{"nothing at all", schema.Message{}, Message},
	} {
		if got := Classify(c.m, o); got != c.want {
			t.Errorf("%s: %+v is a %s, want %s", c.story, c.m, got, c.want)
		}
	}
}

func TestAUserWhoIsNotTheBossDecidesNothing(t *testing.T) {
	o := options("", 0)
	o.Bosses = []string{"Ada"}
	if got := Classify(schema.Message{Role: "user", Content: "I decided"}, o); got != Message {
		t.Errorf("it is a %s", got)
	}
	if got := Classify(schema.Message{Agent: "ada", Content: "I decided"}, o); got != Decision {
		t.Errorf("it is a %s", got)
	}
}

func TestWhoAnswersWhichQuestion(t *testing.T) {
	var s scene
	s.agent("Which database?")                      // m0
	s.tool("Read", "schema.sql")                    // m1, in between
	s.boss("The one we have.")                      // m2 answers m0
	s.agent("Which region?")                        // m3
	s.boss("What are the choices?")                 // m4 is no answer
	s.agent("Frankfurt and Dublin.")                // m5 answers m4
	s.boss("Frankfurt then.")                       // m6 answers m3, though not right after it
	s.agent("Who pays?").Kind = Question            // m7
	s.boss("Later, please.").Kind = Message         // m8 is no clarification
	s.agent("And who signs?").Kind = Question       // m9
	s.boss("Finance does.")                         // m10 answers m9
	s.agent("Anything else?")                       // m11
	s.say("Other", "assistant", "Anything from me") // m12 answers m11
	s.agent("Shall we stop?")                       // m13
	talk := listen(s, options("", 0))
	kinds := map[int]string{2: Clarification, 4: Question, 6: Message, 8: Message, 10: Clarification, 12: Message}
	for i, want := range kinds {
		if got := talk.messages[i].kind; got != want {
			t.Errorf("m%d is a %s, want %s", i, got, want)
		}
	}
	for i, m := range talk.messages {
		want := i == 7 || i == 13
		if m.open != want {
			t.Errorf("m%d (%s) open: %v, want %v", i, m.Content, m.open, want)
		}
	}
	if got := talk.messages[2].answered; got != 0 {
		t.Errorf("m2 answers message %d, want 0", got)
	}
}

func TestMessagesAreInOrderOfTime(t *testing.T) {
	at := func(id, time string) schema.Message { return schema.Message{ID: id, Timestamp: time, Content: id} }
	p := Make([]schema.Message{
		at("nothing-before", "soon"),
		at("late", "2026-03-02T10:00:00Z"),
		at("after-late", ""),
		at("early", "2026-03-02T09:00:00Z"),
		at("after-early", "yesterday"),
		at("early-too", "2026-03-02T10:00:00+01:00"),
		at("late", "2026-03-02T10:00:00.000Z"),
	}, options(PSD, 0))
	if got, want := kept(p), "nothing-before early after-early early-too late after-late late"; got != want {
		t.Errorf("the order is %s, want %s", got, want)
	}
}

func TestAnswersInsideToolsResultsStay(t *testing.T) {
	s := working()
	s[2] = schema.Message{ID: "m2", Timestamp: s[2].Timestamp, Role: "user", Agent: "user", ToolName: "AskUserQuestion", Content: "Cards and transfers"}
	for _, strategy := range []string{SessionSummary, PSD, Adaptive} {
		o := options(strategy, 950)
		p := Make(s, o)
		if got := p.Steps[2]; p.Empty() || got.Verdict != Kept || got.Kind != Clarification {
			t.Errorf("%s: %+v", strategy, got)
		}
	}
}
