package artifact

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestLinksOfAnArtifact(t *testing.T) {
	text := `---
id: SPEC-001
title: REQ-9 is not meant
traces_to: [REQ-1, "docs/a.md", 7, not an id, UTF-8]
depends_on: MOD-2
see_also: ../up.md
files: [src/x.go, ./src//y.go, /etc/passwd, "C:/x", .git/config]
base: {x: REQ-3}
---
# A [link](b.md "title") and ![an image](img/c.png), [again](./b.md#part), [up](../d%20e.md)

[out](../../../x.md) [abs](/etc/passwd) [web](https://a.b/c.md) [mail](mailto:a@b) [self](spec.md) [git](../.git/config) [bad](%zz)
[ref] and ` + "`[code](no.md)`" + ` <b title="[html](no.md)">

` + "```\n[fenced](no.md)\n```\n" + strings.Repeat("A paragraph of text.\n\n", 1000) + `
[late](late.md) and [ref] again.

[ref]: r.md
`
	var got []string
	for _, l := range linksOf("docs/spec.md", []byte(text)) {
		got = append(got, fmt.Sprint(l.label, " ", l.to, " ", l.trace))
	}
	want := []string{
		"depends_on MOD-2 true", "files src/x.go false", "files src/y.go false",
		"traces_to REQ-1 true", "traces_to docs/a.md true", "traces_to UTF-8 true",
		"link docs/b.md false", "link docs/img/c.png false", "link d e.md false", "link docs/r.md false", "link docs/late.md false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if links := linksOf("a.md", []byte(strings.Repeat("[a](b.md) [c](d.md)\n", 10))); len(links) != 2 {
		t.Errorf("%v", links)
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "[a](%d.md)\n", i)
	}
	if links := linksOf("a.md", []byte(many.String())); len(links) != maxLinks {
		t.Errorf("%d links", len(links))
	}
}

func TestIDsInPaths(t *testing.T) {
	for _, c := range []struct{ pattern, name, want string }{
		{".dev/current/ideas/<ID>/current.md", ".dev/current/ideas/IDEA-1/current.md", "IDEA-1"},
		{".dev/current/ideas/<ID>/current.md", ".dev/current/ideas/IDEA-1/x/current.md", ""},
		{".dev/current/ideas/<ID>/current.md", ".dev/current/ideas/current.md", ""},
		{"docs/<ID>.md", "docs/a.md", "a"},
		{"docs/<ID>.md", "docs/a.b.md", "a.b"},
		{"docs/<ID>.md", "docs/.md", ""},
		{"docs/<ID>.md", "docs/a b.md", ""},
		{"docs/x-<ID>/<ID>.md", "docs/x-a/a.md", "a"},
		{"docs/x-<ID>/<ID>.md", "docs/x-a/b.md", ""},
		{"docs/fixed.md", "docs/fixed.md", ""},
	} {
		if got, ok := idIn(c.pattern, c.name); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s in %s: %q", c.name, c.pattern, got)
		}
	}
}
