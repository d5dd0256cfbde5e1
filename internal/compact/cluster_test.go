package compact

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
	"pgregory.net/rapid"
)

// chatter returns a conversation in which some messages repeat each other.
func chatter() scene {
	var s scene
	s.boss("Please add a retry to the payment webhook of the shop.")   // m0
	s.agent("The retry of the payment webhook needs a backoff.")       // m1
	s.boss("Which colour will the landing page have?")                 // m2
	s.agent("I added a backoff to the retry of the payment webhook.")  // m3
	s.tool("Bash", "ok shop/payment 0.21s")                            // m4
	s.tool("Grep", "ok shop/payment 0.21s")                            // m5
	s.agent("The payment webhook has its retry with a backoff tested") // m6
	s.tool("Bash", "ok shop/payment 0.34s")                            // m7
	s.boss("Lunch is at noon.")                                        // m8
	s.tool("Bash", "ok shop/payment 0.19s")                            // m9
	s.agent("Blue would do for the landing page.")                     // m10
	s.tool("Bash", "ok shop/payment 0.27s")                            // m11
	s.agent("Retry and backoff of the payment webhook are done.")      // m12
	return s
}

func TestClusters(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(scene)
		want   string
	}{
		{"two subjects, each of one source", func(scene) {}, "[[0 1 3 6 12] [4 7 9 11]]"},
		{"three are no cluster", func(s scene) { s[4].Content = "no such directory" }, "[[0 1 3 6 12]]"},
		{"a decision stays by itself", func(s scene) { s[6].Kind = Decision }, "[[0 1 3 12] [4 7 9 11]]"},
		{"so does an earlier summary", func(s scene) { s[6].Kind = Summary }, "[[0 1 3 12] [4 7 9 11]]"},
		{"and what matters much", func(s scene) { s[0].Importance = new(0.9) }, "[[1 3 6 12] [4 7 9 11]]"},
		{"but not what matters less", func(s scene) { s[0].Importance = new(0.89) }, "[[0 1 3 6 12] [4 7 9 11]]"},
		{"one tool's output is not another's", func(s scene) { s[4].ToolName, s[7].ToolName = "Grep", "Grep" }, "[[0 1 3 6 12]]"},
		{"what says nothing is like nothing", func(s scene) {
			for i := range s {
				s[i].Content = []string{"", " \n", "and so on", "?!"}[i%4]
			}
		}, "[]"},
		{"the same word is the same, one word in common is not", func(s scene) {
			for i := range s {
				s[i].Role, s[i].ToolName, s[i].Content = "user", "", fmt.Sprintf("Box%d", i)
			}
			s[1].Content, s[4].Content, s[8].Content, s[9].Content = "Thanks!", "Thanks", "thanks.", "Thanks, thanks"
			for _, i := range []int{0, 2, 3, 5} {
				s[i].Content += " arrived"
			}
		}, "[[1 4 8 9]]"},
		{"two words in common of ten are not similar", func(s scene) {
			for i := range s {
				s[i].Role, s[i].ToolName, s[i].Content = "user", "", fmt.Sprintf("Box%d", i)
			}
			for _, i := range []int{0, 2, 3, 5} {
				s[i].Content = "payment webhook"
				for j := range 8 {
					s[i].Content += fmt.Sprintf(" word%d", 8*i+j)
				}
			}
		}, "[]"},
	} {
		s := chatter()
		c.change(s)
		if got := fmt.Sprint(Clusters(s)); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
	if got := Clusters(nil); len(got) > 0 {
		t.Errorf("of nothing: %v", got)
	}
}

// However much two subjects are bridged by what speaks of both, they stay apart.
func TestClustersDoNotRunIntoEachOther(t *testing.T) {
	words := strings.Fields("alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango")
	var s scene
	for i := range 200 { // each shares half of its words with the next
		at := i % (len(words) - 6)
		s.agent(strings.Join(words[at:at+6], " "))
	}
	clusters := Clusters(s)
	for _, c := range clusters {
		first, last := strings.Fields(s[c[0]].Content), strings.Fields(s[c[len(c)-1]].Content)
		if len(c) > 130 {
			t.Errorf("%d of %d messages are one cluster, from %q to %q", len(c), len(s), first, last)
		}
	}
	if len(clusters) < 2 {
		t.Errorf("%d clusters", len(clusters))
	}
}

func TestWhatHoldsOfEveryCluster(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := conversations().Draw(t, "conversation")
		clusters := Clusters(messages)
		if again := Clusters(messages); !reflect.DeepEqual(clusters, again) {
			t.Fatalf("the same input gave %v and %v", clusters, again)
		}
		seen, first := map[int]bool{}, -1
		for _, c := range clusters {
			if len(c) < 4 || !slices.IsSorted(c) || c[0] <= first {
				t.Fatalf("%v are no clusters in order of more than three", clusters)
			}
			first = c[0]
			var members []schema.Message
			for _, i := range c {
				m := messages[i]
				if seen[i] || m.Kind == Decision || m.Kind == Summary || source(m) != source(messages[c[0]]) {
					t.Fatalf("message %d %+v is in %v", i, m, clusters)
				}
				seen[i] = true
				members = append(members, m)
			}
			if g := Gather(members, byCharacters, ""); byCharacters(g.Content) > 200 || strings.ContainsAny(g.Content, "\n\r") {
				t.Fatalf("%d tokens: %q", byCharacters(g.Content), g.Content)
			}
		}
	})
}

func byCharacters(text string) int { return (len(text) + 3) / 4 }

func TestGather(t *testing.T) {
	s := chatter()
	members := []schema.Message{s[0], s[1], s[3], s[6], s[12]}
	members[1].Importance, members[2].Importance = new(0.4), new(0.7)
	got := Gather(members, byWords, "words")
	const want = "5 similar messages (m0, m1, m3, m6, m12): The retry of the payment webhook needs a backoff. " +
		"Retry and backoff of the payment webhook are done."
	if got.Content != want {
		t.Errorf("it says\n%s\nwant\n%s", got.Content, want)
	}
	if meta := string(got.Metadata); meta != `{"cluster":{"members":["m0","m1","m3","m6","m12"]}}` {
		t.Errorf("metadata %s", meta)
	}
	if got.Kind != Summary || got.Role != "system" || got.Timestamp != s[12].Timestamp || int(got.Tokens) != byWords(want) || got.Counter != "words" ||
		got.Importance == nil || *got.Importance != 0.7 || !schema.ValidID(got.ID) {
		t.Errorf("%+v", got)
	}
	if again := Gather(members, byWords, "words"); !reflect.DeepEqual(got, again) {
		t.Errorf("the same members gave %+v and %+v", got, again)
	}
	if none := Gather(nil, byWords, "words"); none.Content != "0 similar messages" {
		t.Errorf("of nothing: %q", none.Content)
	}
	if other := Gather(members[1:], byWords, "words"); other.ID == got.ID {
		t.Errorf("other members have the same id %s", other.ID)
	}
}

func TestGatherKeepsToItsTokens(t *testing.T) {
	for what, n := range map[string]int{"many members": 300, "long ids": 4, "long sentences": 8} {
		var members []schema.Message
		for i := range n {
			id := fmt.Sprintf("m%d", i)
			if what == "long ids" {
				id = strings.Repeat("x", 1000) + id
			}
			if what == "long sentences" {
				content := strings.Repeat(fmt.Sprintf("subject%d with all its matter%d ", i/2, i/2), 7)
				members = append(members, schema.Message{ID: id, Content: content})
				continue
			}
			members = append(members, schema.Message{ID: id, Content: fmt.Sprintf("# The tests\x1b of the payment webhook pass.\n\n## %s of them", filler(i))})
		}
		got := Gather(members, byCharacters, "")
		if n := byCharacters(got.Content); n > 200 || strings.ContainsAny(got.Content, "\n\x1b") {
			t.Errorf("%s: %d tokens: %q", what, n, got.Content)
		}
		if strings.Count(string(got.Metadata), `"`) != 4+2*n {
			t.Errorf("%s: it does not name all members: %s", what, got.Metadata)
		}
	}
}

func BenchmarkClusters(b *testing.B) {
	words := strings.Fields(common)
	var s scene
	for i := range 10_000 {
		var text strings.Builder
		for j := range 20 + i%180 {
			fmt.Fprintf(&text, "%s word%d ", words[(i+j)%len(words)], (i*i+j*j*j)%(100+j*j))
		}
		s.agent(text.String())
	}
	for b.Loop() {
		Clusters(s)
	}
}

// Messages that differ only in a number are one cluster, although they share all their words.
func TestAllAlikeIsOneCluster(t *testing.T) {
	var messages []schema.Message
	for n := range 40 {
		messages = append(messages, schema.Message{Content: fmt.Sprintf("The north wall needs paint, coat %d", n)})
	}
	if clusters := Clusters(messages); len(clusters) != 1 || len(clusters[0]) != 40 {
		t.Errorf("the clusters are %v", clusters)
	}
}

// Sentences that do not end do not run into one another.
func TestGatherPartsItsQuotes(t *testing.T) {
	var members []schema.Message
	for n := range 4 {
		members = append(members, schema.Message{ID: fmt.Sprintf("m%d", n), Content: fmt.Sprintf("Ran the tests of module %d, all passed", n)})
	}
	m := Gather(members, func(text string) int { return len(text) / 4 }, "chars4")
	if want := "all passed; Ran the tests"; !strings.Contains(m.Content, want) {
		t.Errorf("there is no %q in %q", want, m.Content)
	}
}
