package block

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The blocks of a page about an orchard, as they are now.
func orchard() []Block {
	return []Block{
		{Name: "season", Title: "Season", Lines: []string{"- Phase: Harvest"}, Former: []string{"- Phase: Blossom"}},
		{Name: "choices", Title: "Choices (newest first)", Lines: []string{"1. Pears", "2. Apples"}, Former: []string{"1. Plums"}},
		{Name: "rules", Title: "Rules", Lines: []string{"- No frost", "- No bees"}},
	}
}

// before returns the blocks as they were: with their former lines alone.
func before() []Block {
	all := orchard()
	all[0].Lines, all[1].Lines = []string{"- Phase: Blossom"}, []string{"1. Apples", "2. Plums"}
	return all
}

const title = "# The orchard"

const rendered = `# The orchard

## Season
<!-- forgemind:begin season -->
- Phase: Harvest
<!-- forgemind:end season -->

## Choices (newest first)
<!-- forgemind:begin choices -->
1. Pears
2. Apples
<!-- forgemind:end choices -->

## Rules
<!-- forgemind:begin rules -->
- No frost
- No bees
<!-- forgemind:end rules -->
`

type tester interface {
	Helper()
	Fatalf(string, ...any)
}

// render renders a page, and holds that a second time changes nothing. The text is without the hashes of its marks.
func render(t tester, src string, blocks []Block) (string, Document) {
	t.Helper()
	d := Render([]byte(src), title, blocks)
	if again := Render(d.Text, title, blocks); !bytes.Equal(again.Text, d.Text) {
		t.Fatalf("a second time:\n%s\nof\n%s\nof\n%s", again.Text, d.Text, src)
	}
	return hashes.ReplaceAllString(string(d.Text), "$1 -->"), d
}

var hashes = regexp.MustCompile(`(<!-- forgemind:end [a-z]+) [0-9a-z]{12} -->`)

func TestRender(t *testing.T) {
	began, _ := render(t, "", before())
	for _, src := range []string{"", " \n", rendered, began} {
		if text, _ := render(t, src, orchard()); strings.TrimSpace(text) != strings.TrimSpace(rendered) {
			t.Errorf("%q became\n%s", src, text)
		}
	}
}

// swap returns an edit of a page that replaces text, which it has.
func swap(old, new string) func(string) string {
	return func(s string) string {
		if !strings.Contains(s, old) {
			panic(old)
		}
		return strings.Replace(s, old, new, 1)
	}
}

// What people do to a page that then is rendered anew.
func TestEditedByHand(t *testing.T) {
	began, _ := render(t, "", before())
	unmarked := func(s string) string {
		return strings.Join(slices.DeleteFunc(strings.SplitAfter(s, "\n"), func(line string) bool { return strings.HasPrefix(line, "<!--") }), "")
	}
	for _, c := range []struct {
		name string
		edit func(string) string
		want func(string) string // of rendered
	}{
		{"nothing", swap("", ""), swap("", "")},
		{"a line is changed", swap("- Phase: Blossom", "- Phase: Blossom, says Ana"), swap("end season -->\n", "end season -->\n- Phase: Blossom, says Ana\n")},
		{"a line is removed", swap("- No bees\n", ""), swap("", "")},
		{"another number", swap("2. Plums", "7. Plums"), swap("", "")},
		{"lines are added within", swap("1. Apples\n", "1. Apples\n\nmay change\n\n### Why\nBecause.\n\n"), swap("end choices -->\n", "end choices -->\nmay change\n\n### Why\nBecause.\n")},
		{"a line behind a block", swap("end rules -->\n", "end rules -->\n- No wasps\n"), swap("end rules -->\n", "end rules -->\n- No wasps\n")},
		{"a paragraph at the end", func(s string) string { return s + "\nKept by Ana" }, func(s string) string { return s + "\nKept by Ana" }},
		{"a section between", swap("## Rules", "## People\n\nAna\n\n## Rules"), swap("## Rules", "## People\n\nAna\n\n## Rules")},
		{"another title", swap("## Choices (newest first)", "## What we chose"), swap("## Choices (newest first)", "## What we chose")},
		{"no section", swap("## Season\n<!-- forgemind:begin season -->\n- Phase: Blossom\n<!-- forgemind:end season -->\n\n", ""), swap("", "")},
		{"no section behind one with sections below it", func(s string) string {
			return s[:strings.Index(s, "## Choices")] + "### Why\nBecause.\n"
		}, func(s string) string { return swap("## Choices", "### Why\nBecause.\n\n## Choices")(s) }},
		{"an empty section", swap("<!-- forgemind:begin rules -->\n- No frost\n- No bees\n<!-- forgemind:end rules -->\n", ""), swap("", "")},
		{"no marks", unmarked, swap("", "")},
		{"no marks, and lines of a person's", func(s string) string { return swap("- No frost\n", "- No frost\n- No wasps\n")(unmarked(s)) },
			swap("end rules -->\n", "end rules -->\n- No wasps\n")},
		{"a shorter title without marks", func(s string) string { return swap("## Choices (newest first)\n", "## CHOICES, newest\n")(unmarked(s)) },
			swap("## Choices (newest first)\n", "## CHOICES, newest\n")},
		{"no end", swap("<!-- forgemind:end choices -->\n", "Ana says so.\n"), swap("end choices -->\n", "end choices -->\nAna says so.\n")},
		{"no begin", swap("<!-- forgemind:begin choices -->\n", ""), swap("", "")},
		{"two ends", swap("<!-- forgemind:end choices -->\n", "<!-- forgemind:end choices -->\nAna\n<!-- forgemind:end choices -->\n"), swap("end choices -->\n", "end choices -->\nAna\n")},
		{"the section twice", func(s string) string {
			return s[:strings.Index(s, "## Rules")] + s[strings.Index(s, "## Choices"):]
		}, swap("", "")},
		{"the section twice, with a person's line", func(s string) string {
			again := s[strings.Index(s, "## Choices"):strings.Index(s, "## Rules")]
			return swap("## Rules", swap("2. Plums", "2. Plums for jam")(again)+"## Rules")(s)
		}, swap("## Rules", "## Choices (newest first)\n2. Plums for jam\n\n## Rules")},
		{"marks with blanks around them", swap("<!-- forgemind:begin rules -->", "  <!-- forgemind:begin rules --> \t"), swap("", "")},
		{"the section twice, with another below it", func(s string) string {
			return s + "\n" + s[strings.Index(s, "## Rules"):] + "\n### Why\nBecause.\n"
		}, func(s string) string { return s + "\n## Rules\n\n### Why\nBecause.\n" }},
		{"no end, and a line in another section that was rendered elsewhere", func(s string) string {
			return swap("<!-- forgemind:end rules -->\n", "")(s) + "\n## People\n\n- No frost\n"
		}, func(s string) string { return s + "\n## People\n\n- No frost\n" }},
		{"a block without an end in front of it", swap("## Rules\n", "## Old\n<!-- forgemind:begin rules -->\nAna\n\n## Rules\n"), swap("## Rules\n", "## Old\nAna\n\n## Rules\n")},
		{"the section twice, with another title", func(s string) string {
			return s + "\n## Rules of old\n" + s[strings.Index(s, "<!-- forgemind:begin rules"):]
		}, func(s string) string { return s + "\n## Rules of old\n" }},
		{"no begin, and a stray end", swap("<!-- forgemind:begin choices -->\n1. Apples\n", "1. Apples\n<!-- forgemind:end season -->\n"), swap("", "")},
		{"a part of an item within", swap("- No bees\n", "- No bees\n  - No frost\n"), swap("end rules -->\n", "end rules -->\n  - No frost\n")},
		{"a mark of another block within", swap("- No bees\n", "- No bees\nAna\n<!-- forgemind:end other -->\n"), swap("end rules -->\n", "end rules -->\nAna\n<!-- forgemind:end other -->\n")},
		{"a quotation within, and text behind", swap("- No bees\n<!-- forgemind:end rules -->\n", "- No bees\n> Ana says\n<!-- forgemind:end rules -->\nBo says\n"), swap("end rules -->\n", "end rules -->\n> Ana says\n\nBo says\n")},
		{"code within", swap("- No bees\n", "- No bees\n```\n- No frost\n```\n"), swap("end rules -->\n", "end rules -->\n```\n- No frost\n```\n")},
		{"code below a heading without marks", func(s string) string {
			return swap("- No frost\n- No bees\n", "```\n- No frost\n```\n")(unmarked(s))
		}, swap("end rules -->\n", "end rules -->\n```\n- No frost\n```\n")},
		{"details around a block", swap("<!-- forgemind:begin rules -->\n", "<details>\n<!-- forgemind:begin rules -->\n"), swap("<!-- forgemind:begin rules -->\n", "<details>\n<!-- forgemind:begin rules -->\n")},
		{"a byte order mark and front matter", func(s string) string { return "\ufeff---\ntitle: x\n---\n" + s[strings.Index(s, "## Choices"):] },
			func(s string) string { return "\ufeff---\ntitle: x\n---\n" + s[strings.Index(s, "## Season"):] }},
		{"blank lines in a block", swap("begin rules -->\n", "begin rules -->\n\n"), swap("", "")},
		{"CRLF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }},
		{"no newline at the end", func(s string) string { return strings.TrimRight(s, "\n") }, func(s string) string { return strings.TrimRight(s, "\n") }},
		{"an older mark", swap("<!-- forgemind:begin rules -->\n- No frost\n- No bees\n<!-- forgemind:end rules -->\n", "<!-- forgemind: rules 2 000000000000 -->\n- No bees\n- No wasps\n- No frost\nAna\n"),
			swap("end rules -->\n", "end rules -->\n- No wasps\n\nAna\n")},
	} {
		if text, d := render(t, c.edit(began), orchard()); text != c.want(rendered) || d.Swallowed {
			t.Errorf("%s:\n%q, want\n%q", c.name, text, c.want(rendered))
		}
	}
}

// An older mark names the hash of its lines: where it is right they are no person's, whatever they say.
func TestOlderMark(t *testing.T) {
	const old = "# The orchard\n\n## Rules\n<!-- forgemind: rules 2 9ad2q1zygekb -->\n\n- No cats\n- No dogs\nAna\n"
	text, d := render(t, old, orchard()[2:])
	want := "# The orchard\n\n## Rules\n<!-- forgemind:begin rules -->\n- No frost\n- No bees\n<!-- forgemind:end rules -->\nAna\n"
	if text != want || len(d.Places[0].Moved) > 0 {
		t.Errorf("%q", text)
	}
}

// The hash in the mark says that lines are as they were rendered, also where nobody knows what was rendered before.
func TestHash(t *testing.T) {
	former := before()
	former[2].Lines = []string{"- No cats", "- No dogs"}
	began := string(Render(nil, title, former).Text)
	if text, d := render(t, began, orchard()); text != rendered || len(d.Places[2].Moved) > 0 {
		t.Errorf("%+v\n%s", d.Places, text)
	}
	text, d := render(t, swap("- No dogs", "- No dogs, says Ana")(began), orchard())
	if text != swap("end rules -->\n", "end rules -->\n- No cats\n- No dogs, says Ana\n")(rendered) || len(d.Places[2].Moved) != 2 {
		t.Errorf("%+v\n%s", d.Places, text)
	}
	// Both sides of a merge have one.
	theirs := string(Render(nil, title, orchard()).Text)
	merge := swap(section(began, "rules"), "<<<<<<< a\n"+section(began, "rules")+"=======\n"+section(theirs, "rules")+">>>>>>> b\n")(began)
	if text, d := render(t, merge, orchard()); text != rendered || d.Conflicts > 0 {
		t.Errorf("%d conflicts\n%s", d.Conflicts, text)
	}
	if b := former[2]; !slices.Equal(b.Rendered([]byte(began)), b.Lines) || b.Rendered([]byte(swap("- No dogs", "- No cows")(began))) != nil {
		t.Error("what was rendered is not told from what somebody edited")
	}
}

// section returns a block of a page, without its begin mark.
func section(page, name string) string {
	page = page[strings.Index(page, "begin "+name+" -->\n")+len("begin  -->\n")+len(name):]
	end := strings.Index(page, "<!-- forgemind:end "+name)
	return page[:end+strings.Index(page[end:], "\n")+1]
}

// A document that has a heading of a block's title is given the block there.
func TestHost(t *testing.T) {
	text, d := render(t, "# Mine\n\nRules\n=====\n\nNone that I know.\n\n## Season\n## Harvest", orchard())
	want := `# Mine

Rules
=====
<!-- forgemind:begin rules -->
- No frost
- No bees
<!-- forgemind:end rules -->

None that I know.

## Season
<!-- forgemind:begin season -->
- Phase: Harvest
<!-- forgemind:end season -->

## Choices (newest first)
<!-- forgemind:begin choices -->
1. Pears
2. Apples
<!-- forgemind:end choices -->

## Harvest`
	if text != want || d.Places[2].Title != "Rules" || d.Places[2].Line != 3 {
		t.Errorf("%s\n%+v", text, d.Places)
	}
}

// So it is where the heading ends the document, or another follows at once; a first word alone is no title.
func TestHostWithoutText(t *testing.T) {
	const marked = "## Rules\n<!-- forgemind:begin rules -->\n- No frost\n- No bees\n<!-- forgemind:end rules -->"
	for src, want := range map[string]string{
		"# Mine\n\n## Rules":                   "# Mine\n\n" + marked,
		"# Mine\n\n## Rules\n## People\nAna\n": "# Mine\n\n" + marked + "\n\n## People\nAna\n",
	} {
		if text, _ := render(t, src, orchard()[2:]); text != want {
			t.Errorf("%q became\n%q", src, text)
		}
	}
	if text, _ := render(t, "## Choices\n\nAre mine.\n", orchard()[1:2]); !strings.HasPrefix(text, "## Choices\n\nAre mine.\n\n## Choices (newest first)\n") {
		t.Error(text)
	}
}

// Nothing is written where something in the document would swallow it, and marks in code are none.
func TestSwallowed(t *testing.T) {
	for _, src := range []string{"# Mine\n\n```\ncode", "# Mine\n<!-- never closed\n", "<pre>\n# x\n"} {
		if text, d := render(t, src, orchard()); text != src || !d.Swallowed {
			t.Errorf("%q became %q", src, text)
		}
	}
	quoted := "# Mine\n\n```\n" + rendered + "```\n\n> " + strings.ReplaceAll(rendered, "\n", "\n> ") + "\n"
	if text, d := render(t, quoted, orchard()); !strings.HasPrefix(text, quoted) || d.Swallowed || strings.Count(text, "begin rules") != 3 {
		t.Errorf("%q became %q", quoted, text)
	}
}

// TestKeepsEveryWordOfAPerson edits a page at random and renders it anew: each word that was typed stays, in its order.
func TestKeepsEveryWordOfAPerson(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, _ := render(t, "", rapid.SampledFrom([][]Block{before(), orchard(), orchard()[:2]}).Draw(t, "began"))
		if rapid.Bool().Draw(t, "crlf") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		var typed []string
		for i := range rapid.IntRange(1, 6).Draw(t, "edits") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			if rapid.Bool().Draw(t, "line") {
				at = strings.LastIndexByte(text[:at], '\n') + 1
			}
			end := min(len(text), at+rapid.SampledFrom([]int{0, 0, 0, 1, 5, 80}).Draw(t, "cut"))
			for at > 0 && at < len(text) && text[at]&0xc0 == 0x80 { // not within a character
				at--
			}
			for end < len(text) && text[end]&0xc0 == 0x80 {
				end++
			}
			split := func(word string) bool {
				return strings.Contains(text, word) && !strings.Contains(text[:at]+"\x00"+text[end:], word)
			}
			if slices.ContainsFunc(typed, split) {
				continue // a person may take his own words away, and no half of one
			}
			word := fmt.Sprintf("⟪%d⟫", i)
			front := rapid.SampledFrom([]string{"", "\n", "\n\n", "## ", "- ", "\n## Choices\n", "```\n", "<!-- ", "<<<<<<< HEAD\n", "<!-- forgemind:end rules -->\n", "\n<!-- forgemind:begin season -->\n"}).Draw(t, "front")
			back := rapid.SampledFrom([]string{"", "\n", "\n\n", " -->\n", "\n```\n", "\n=======\n", "\n>>>>>>> b\n", "\n---\n", "\n<!-- forgemind:end season -->\n"}).Draw(t, "back")
			text = text[:at] + front + word + back + text[end:]
			typed = append(typed, word)
		}
		out, _ := render(t, text, orchard())
		at := -1
		for _, word := range inOrder(text, typed) {
			i := strings.Index(out, word)
			if i < 0 || i < at {
				t.Fatalf("%s is lost or moved:\n%s\nbecame\n%s", word, text, out)
			}
			at = i
		}
	})
}

// inOrder returns the words that stand in a text, in their order.
func inOrder(text string, words []string) []string {
	in := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.Contains(text, w) })
	slices.SortFunc(in, func(a, b string) int { return strings.Index(text, a) - strings.Index(text, b) })
	return in
}

func TestMerged(t *testing.T) {
	ours, _ := render(t, "", before())
	conflict := func(ours, base, theirs string) string {
		return swap("1. Pears\n2. Apples\n", "<<<<<<< HEAD\n"+ours+base+"=======\n"+theirs+">>>>>>> theirs\n")(rendered)
	}
	for _, base := range []string{"", "||||||| base\nwhatever\n"} {
		src := conflict("1. Apples\n2. Plums\n", base, "1. Pears\n2. Plums\n")
		if text, d := render(t, src, orchard()); text != rendered || d.Conflicts != 0 {
			t.Errorf("%d conflicts:\n%s", d.Conflicts, text)
		}
		if text, _ := render(t, strings.ReplaceAll(src, "\n", "\r\n"), orchard()); text != strings.ReplaceAll(rendered, "\n", "\r\n") {
			t.Errorf("%q", text)
		}
	}
	// So it is where the two sides have all of a block.
	whole := swap("## Choices", "<<<<<<< HEAD\n## Choices")(ours)
	whole = swap("## Rules", "=======\n"+rendered[strings.Index(rendered, "## Choices"):strings.Index(rendered, "## Rules")]+">>>>>>> b\n## Rules")(whole)
	if text, d := render(t, whole, orchard()); text != rendered || d.Conflicts != 0 {
		t.Errorf("%d conflicts:\n%s", d.Conflicts, text)
	}
	// What people wrote on both sides is theirs to join, in a block and elsewhere; the rest goes on.
	const people = "<<<<<<< HEAD\nAna\n=======\nBo\n>>>>>>> theirs\n"
	text, d := render(t, swap("- Phase: Harvest", "- Phase: Blossom")(conflict("1. Apples\n", "", "1. Pears\n"))+"\n## People\n"+people, orchard())
	if d.Conflicts != 1 || !strings.HasSuffix(text, "\n## People\n"+people) || !strings.Contains(text, "- Phase: Harvest\n") || strings.Count(text, "<<<<<<<") != 1 {
		t.Errorf("%d conflicts:\n%s", d.Conflicts, text)
	}
	src := conflict("1. Apples\n2. Quinces\n", "", "1. Pears\n2. Apples\n")
	if text, d := render(t, src, orchard()); d.Conflicts != 1 || !strings.Contains(text, "2. Quinces") {
		t.Errorf("%d conflicts:\n%s", d.Conflicts, text)
	}
	// A block that somebody edited stays as it is meanwhile.
	src = swap("- No bees\n", "- No bees\nAna\n")(rendered) + "\n" + people
	if text, d := render(t, src, orchard()); text != src || len(d.Places[2].Moved) > 0 {
		t.Errorf("%+v\n%s", d.Places, text)
	}
	// Very many conflicts all stay.
	src = swap("- No bees\n", strings.Repeat("<<<<<<< a\n- No bees\n=======\n- No frost\n>>>>>>> b\n", 300))(rendered)
	if text, d := render(t, src, orchard()); text != src || d.Conflicts != 300 {
		t.Errorf("%d conflicts are left", d.Conflicts)
	}
	// Of two conflicts that are resolved one after another none is left.
	src = "<!-- forgemind:begin rules -->\n<!-- forgemind: season 2 000000000000 -->\n\n    p0q\n<<<<<<< H\n- Phase: Harvest\n=======\n>>>>>>> b\n"
	render(t, src, orchard())
	// While both sides stand in it nothing that is missing is put into it, and nothing is taken out.
	for _, src := range []string{
		"# Mine\n<<<<<<< a\n## Rules\n- x\n=======\n## Mine\nx\n>>>>>>> b\n",
		"# Mine\n<<<<<<< a\n=======\n## Mine\nx\n>>>>>>> b\n## Season\n",
	} {
		if text, d := render(t, src, orchard()); text != src || d.Conflicts != 1 {
			t.Errorf("%d conflicts:\n%s", d.Conflicts, text)
		}
	}
}
