package hook

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var testBlock = &block{"## Here\n\n- one\n- two\n"}

// TestBlock: whatever the file contains, the block is in it once, and removing the block
// restores the file without a receipt.
func TestBlock(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		var text strings.Builder
		for range rapid.IntRange(0, 4).Draw(t, "lines") {
			text.WriteString(rapid.SampledFrom([]string{"", "# Mine", "```", "\xff\xfe odd", "<!-- forgemind: not a mark -->", " <!-- forgemind:end -->"}).Draw(t, "line") + eol)
		}
		text.WriteString(rapid.SampledFrom([]string{"", "last"}).Draw(t, "last"))
		src := []byte(text.String())
		out, _, note, err := testBlock.put(src)
		if err != nil || note != "" {
			t.Fatalf("%v %s", err, note)
		}
		if !bytes.HasPrefix(out, src) {
			t.Fatalf("what was there changed: %q", out)
		}
		if state, detail := testBlock.look(out); state != Installed {
			t.Fatalf("%s: %s: %q", state, detail, out)
		}
		if again, _, _, _ := testBlock.put(out); !bytes.Equal(again, out) {
			t.Fatalf("twice: %q", again)
		}
		if newer, _, _, _ := (&block{"other\n"}).put(out); bytes.Equal(newer, out) || !bytes.HasPrefix(newer, src) {
			t.Fatalf("another version did not take its place: %q", newer)
		}
		taken, note, err := testBlock.take(out, []string{})
		if err != nil || note != "" || !bytes.Equal(taken, src) {
			t.Fatalf("%v %s: %q became %q", err, note, src, taken)
		}
		added := append(bytes.Clone(out), "added"+eol...)
		if bytes.HasSuffix(out, []byte("\n")) {
			if taken, _, _ := testBlock.take(added, nil); string(taken) != string(src)+"added"+eol {
				t.Fatalf("with more behind it: %q", taken)
			}
		}
	})
}

// TestBlockByHand: edits of the block are detected, kept and reported.
func TestBlockByHand(t *testing.T) {
	t.Parallel()
	whole := testBlock.whole("\n") + "\n"
	begin, _, _ := strings.Cut(whole, "\n")
	for _, c := range []struct {
		about, src string
		state      State
		note       string // of put
		left       string // after take; "=" as it was
		told       string // of take
	}{
		{"edited inside", "a\n" + strings.Replace(whole, "one", "ONE", 1), Edited, "line 2: the block of forgemind was changed by hand; it was kept", "=", "line 2: the block of forgemind was changed by hand; it was kept"},
		{"no hash", "<!-- forgemind:begin -->\nx\n<!-- forgemind:end -->\n", Edited, "line 1: the block of forgemind was changed by hand; it was kept", "=", "line 1: the block of forgemind was changed by hand; it was kept"},
		{"twice, one edited", whole + "x\n" + strings.Replace(whole, "one", "ONE", 1), Damaged, "line 8: the block of forgemind was changed by hand; it was kept", "x\n" + strings.Replace(whole, "one", "ONE", 1), "line 8: the block of forgemind was changed by hand; it was kept"},
		{"the end is gone", "a\n" + begin + "\n## Here\n", Damaged, "line 2, column 1: a block of forgemind begins here and does not end; the file was left alone", "=", "line 2, column 1: a block of forgemind begins here and does not end; the file was left alone"},
		{"the begin is gone", "a\n## Here\n<!-- forgemind:end -->\nb", Damaged, "line 3, column 1: a block of forgemind ends here and has not begun; the file was left alone", "=", "line 3, column 1: a block of forgemind ends here and has not begun; the file was left alone"},
		{"two begins", begin + "\n" + whole, Damaged, "line 1, column 1: a block of forgemind begins here and does not end; the file was left alone", "=", "line 1, column 1: a block of forgemind begins here and does not end; the file was left alone"},
		{"an end too many", whole + "<!-- forgemind:end -->\n", Damaged, "line 7, column 1: a block of forgemind ends here and has not begun; the file was left alone", "=", "line 7, column 1: a block of forgemind ends here and has not begun; the file was left alone"},
		{"as CRLF", strings.ReplaceAll("a\n\n"+whole, "\n", "\r\n"), Installed, "", "a\r\n", ""},
		{"moved to the middle", "a\n" + whole + "b\n", Installed, "", "a\nb\n", ""},
		{"nothing but it", whole, Installed, "", "", ""},
		{"UTF-16", "\xff\xfea\x00", Absent, "it is not UTF-8 text; it was not changed", "=", ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			if state, detail := testBlock.look([]byte(c.src)); state != c.state {
				t.Errorf("%s: %s, want %s", state, detail, c.state)
			}
			out, _, note, err := testBlock.put([]byte(c.src))
			if err != nil || note != c.note || string(out) != c.src {
				t.Errorf("put: %v, %q, %q", err, note, out)
			}
			left, note, err := testBlock.take([]byte(c.src), nil)
			want := c.left
			if want == "=" {
				want = c.src
			}
			if err != nil || note != c.told || string(left) != want || (left == nil) != (want == "") {
				t.Errorf("take: %v, %q, %q", err, note, left)
			}
		})
	}
}

// TestBlockShown: marks inside a code block are text.
func TestBlockShown(t *testing.T) {
	t.Parallel()
	whole := testBlock.whole("\n") + "\n"
	for _, src := range []string{
		"a\n```html\n" + whole + "```\nb\n",
		"~~~~\n```\n<!-- forgemind:end -->\n~~~\n~~~~\n",
		"````\n```\n" + whole + "```\n````\n",
		"```\n```html\n" + whole + "```\n", // what has a name behind it ends nothing
	} {
		if state, detail := testBlock.look([]byte(src)); state != Absent {
			t.Errorf("%q: %s %s", src, state, detail)
		}
		out, _, note, err := testBlock.put([]byte(src))
		if err != nil || note != "" || string(out) != src+"\n"+whole {
			t.Errorf("%q became %q: %s, %v", src, out, note, err)
		}
		if left, note, err := testBlock.take(out, nil); err != nil || note != "" || string(left) != src {
			t.Errorf("%q became %q: %s, %v", src, left, note, err)
		}
	}
	open := "```\n" + whole // a fence that nobody closed shows nothing
	if state, _ := testBlock.look([]byte(open)); state != Installed {
		t.Error(state)
	}
}

// TestBlockTwice: where two branches that both had the block were merged, one of
// the two stays, as this version has it.
func TestBlockTwice(t *testing.T) {
	t.Parallel()
	whole, older := testBlock.whole("\n")+"\n", (&block{"old\n"}).whole("\n")+"\n"
	for src, want := range map[string]string{
		"a\n\n" + whole + "x\n\n" + whole + "y\n": "a\n\n" + whole + "x\ny\n",
		"a\n\n" + older + "x\n\n" + whole:         "a\n\n" + whole + "x\n",
		whole + older + "x\n" + whole:             whole + "x\n",
	} {
		if state, detail := testBlock.look([]byte(src)); state != Damaged || !strings.HasPrefix(detail, "there are ") {
			t.Errorf("%s: %s", state, detail)
		}
		out, _, note, err := testBlock.put([]byte(src))
		if err != nil || note != "" || string(out) != want {
			t.Errorf("%v, %s:\n%s", err, note, Diff("x", []byte(want), out))
		}
	}
}

// TestOlderBlock: an unchanged block of another version is updated.
func TestOlderBlock(t *testing.T) {
	t.Parallel()
	src := []byte("a\r\n\r\n" + (&block{"old\n"}).whole("\r\n") + "\r\nb")
	if state, _ := testBlock.look(src); state != Other {
		t.Error(state)
	}
	out, _, note, err := testBlock.put(src)
	if want := "a\r\n\r\n" + testBlock.whole("\r\n") + "\r\nb"; err != nil || note != "" || string(out) != want {
		t.Errorf("%v, %q, %q", err, note, out)
	}
}

// TestFile: a command file is ours by its mark, and is not changed once somebody edited it.
func TestFile(t *testing.T) {
	t.Parallel()
	f := markdown("Do it.\n", "description", quoted("It does: it"))
	whole, _, _, _ := f.put(nil)
	older := (&file{text: "old\n", begin: "<!--", end: " -->"}).whole()
	for _, c := range []struct {
		about string
		src   []byte
		state State
		put   []byte
		note  string
		taken []byte
		told  string
	}{
		{"none", nil, "", whole, "", nil, ""},
		{"ours", whole, Installed, whole, "", nil, ""},
		{"ours, from a checkout with CRLF", bytes.ReplaceAll(whole, []byte("\n"), []byte("\r\n")), Installed, bytes.ReplaceAll(whole, []byte("\n"), []byte("\r\n")), "", nil, ""},
		{"of another version", older, Other, whole, "", nil, ""},
		{"changed", append([]byte("x"), whole...), Edited, append([]byte("x"), whole...), "it was changed by hand; it was kept", append([]byte("x"), whole...), "it was changed by hand; it was kept"},
		{"added to", append(bytes.Clone(whole), "x"...), Edited, append(bytes.Clone(whole), "x"...), "it was changed by hand; it was kept", append(bytes.Clone(whole), "x"...), "it was changed by hand; it was kept"},
		{"another's", []byte("mine"), Foreign, []byte("mine"), "there is another file of that name; it was left alone", []byte("mine"), ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			if c.src != nil {
				if state, _ := f.look(c.src); state != c.state {
					t.Errorf("%s, want %s", state, c.state)
				}
				if taken, told, err := f.take(c.src, nil); err != nil || !bytes.Equal(taken, c.taken) || told != c.told {
					t.Errorf("take: %q, %q, %v", taken, told, err)
				}
			}
			if put, _, note, err := f.put(c.src); err != nil || !bytes.Equal(put, c.put) || note != c.note {
				t.Errorf("put: %q, %q, %v", put, note, err)
			}
		})
	}
}
