package session_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
)

// talkOf returns a conversation of messages "id minute text".
func talkOf(messages ...string) []byte {
	var src []byte
	for _, m := range messages {
		id, rest, _ := strings.Cut(m, " ")
		minute, text, _ := strings.Cut(rest, " ")
		src = fmt.Appendf(src, `{"msg_id":%q,"timestamp":"2026-11-20T10:%s:00Z","agent":"user","content":%q}`+"\n", id, minute, text)
	}
	return src
}

// What others added to a conversation is found, and nothing of what stood there, however they wrote it.
func TestWhatIsNewInAConversation(t *testing.T) {
	stood := []string{"a 01 one", "b 02 two", "c 03 three"}
	many := make([]string, 5000)
	for i := range many {
		many[i] = fmt.Sprintf("m-%d 04 message %d %s", i, i, strings.Repeat("x", 40))
	}
	for _, test := range []struct {
		what  string
		stood []string
		now   []byte
		want  string
	}{
		{what: "nothing", stood: stood, now: talkOf(stood...)},
		{what: "appended", stood: stood, now: talkOf(append(stood, "d 04 four", "e 01 five")...), want: "four five"},
		{what: "to an empty one", now: talkOf("a 01 one"), want: "one"},
		{what: "between what we wrote", stood: stood, now: talkOf("a 01 one", "x 01 between", "b 02 two", "c 03 three"), want: "between"},
		{what: "before all that we know", stood: stood, now: talkOf("x 01 before", "a 01 one", "b 02 two", "c 03 three")},
		{what: "behind what is left", stood: stood, now: talkOf("c 03 three", "d 04 four"), want: "four"},
		{what: "an edited text", stood: stood, now: talkOf("a 01 one", "b 02 second", "c 03 three")},
		{what: "an id that is taken again", stood: stood, now: talkOf("a 01 one", "b 02 two", "c 03 three", "a 04 four"), want: "four"},
		{what: "none of it left", stood: stood, now: talkOf("d 04 four", "e 05 five"), want: "four five"},
		{what: "none of it left, by a clock that is behind", stood: stood, now: []byte(strings.Replace(string(talkOf("d 04 four")), "20T10:04:00Z", "20T01:04:00.123456", 1)), want: "four"},
		{what: "none of it left, but what is older", stood: stood, now: []byte(strings.Replace(string(talkOf("d 04 four")), "11-20T", "11-18T", 1))},
		{what: "in other JSON", stood: stood, now: []byte(strings.ReplaceAll(string(talkOf(append(stood, "d 04 four")...)), `":"`, `": "`)), want: "four"},
		{what: "with times without a zone", stood: stood, now: []byte(strings.ReplaceAll(string(talkOf(append(stood, "d 04 four")...)), `:00Z`, `:00`)), want: "four"},
		{what: "among what is no message", stood: stood, now: slices.Concat(talkOf(stood...), []byte("{\"half\n\n[1]\n"), talkOf("d 04 four"), []byte(`{"msg_id":"e","cont`)), want: "four"},
		{what: "without an id or a time", stood: stood, now: append(talkOf(stood...), "{\"content\":\"four\"}\n"...), want: "four"},
		{what: "the same line twice", stood: stood, now: append(talkOf(stood...), "{\"content\":\"four\"}\n{\"content\":\"four\"}\n"...), want: "four four"},
		{what: "to a long one", stood: many, now: talkOf(append(slices.Clone(many), "z 05 last")...), want: "last"},
		{what: "very much to a short one", stood: stood, now: talkOf(append(slices.Clone(stood), many...)...), want: "5000"},
	} {
		look := session.Look{Stamp: fs.Stamp{Name: fs.Messages}}.Now(talkOf(test.stood...), nil)
		var news []string
		for _, line := range look.New(test.now) {
			news = append(news, line.Message.Content)
		}
		got := strings.Join(news, " ")
		if len(news) > 9 {
			got = fmt.Sprint(len(news))
		}
		if got != test.want {
			t.Errorf("%s: new is %q, want %q", test.what, got, test.want)
		}
		if again := look.Now(test.now, nil).New(test.now); len(again) > 0 {
			t.Errorf("%s: it is new a second time", test.what)
		}
	}
}

// Of a conversation that was emptied what it held stays known, and what waits to be heard stays new.
func TestALookRemembers(t *testing.T) {
	stood := talkOf("a 01 one", "b 02 two")
	look := session.Look{}.Now(stood, nil)
	if news := look.Now(nil, nil).New(stood); len(news) > 0 {
		t.Errorf("%d messages are new that were there before it was emptied", len(news))
	}
	more := talkOf("a 01 one", "b 02 two", "c 03 three", "d 04 ours")
	waiting := look.New(talkOf("a 01 one", "b 02 two", "c 03 three"))
	next := look.Now(more, waiting)
	if news := next.New(more); len(news) != 1 || news[0].Message.Content != "three" {
		t.Errorf("new is %v", news)
	}
	if next.Holds(fs.Stamp{Size: int64(len(more))}) {
		t.Error("a conversation of which something waits counts as looked at")
	}
}

// What a Look is after lines were added is what it is of the whole conversation.
func TestALookAtAddedLines(t *testing.T) {
	stood, added := talkOf("a 01 one", "b 02 two"), []byte(nil)
	for i := range 70 {
		added = append(added, talkOf(fmt.Sprintf("m-%d %02d message %d", i, i%60, i))...)
	}
	k := session.Look{Stamp: fs.Stamp{Name: fs.Messages}}.Now(stood, nil)
	whole := k.Now(append(slices.Clone(stood), added...), nil)
	if got := k.Added(added); !reflect.DeepEqual(got, whole) {
		t.Errorf("at once it is\n%+v\nwant\n%+v", got, whole)
	}
	got := k
	for line := range bytes.Lines(added) {
		got = got.Added(line)
	}
	if !reflect.DeepEqual(got, whole) {
		t.Errorf("one by one it is\n%+v\nwant\n%+v", got, whole)
	}
}

// A stamp tells that a conversation stands as it did only if it has a time.
func TestAStampHolds(t *testing.T) {
	small, large := int64(100), int64(2<<20)
	for _, test := range []struct {
		was, now fs.Stamp
		want     bool
	}{
		{fs.Stamp{}, fs.Stamp{}, true},
		{fs.Stamp{Size: small, Written: 7}, fs.Stamp{Size: small, Written: 7}, true},
		{fs.Stamp{Size: small, Written: 7}, fs.Stamp{Size: small, Written: 8}, false},
		{fs.Stamp{Size: small}, fs.Stamp{Size: small}, false},
		{fs.Stamp{Size: small}, fs.Stamp{Size: small, Written: 7}, false},
		{fs.Stamp{Size: large}, fs.Stamp{Size: large, Written: 7}, true}, // nobody saw it since it was written
		{fs.Stamp{Size: large, Written: 7}, fs.Stamp{Size: large, Written: 8}, false},
		{fs.Stamp{Size: small, Written: 7}, fs.Stamp{}, false},
	} {
		if got := (session.Look{Stamp: test.was}).Holds(test.now); got != test.want {
			t.Errorf("%+v holds as %+v: %t", test.was, test.now, got)
		}
	}
}
