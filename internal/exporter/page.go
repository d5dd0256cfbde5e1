package exporter

import (
	"crypto/sha256"
	_ "embed" // the style and the script of the page
	"encoding/base64"
	"fmt"
	"html"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

//go:embed page/style.css
var style string

//go:embed page/script.js
var script string

// Limits of a page, in characters.
const (
	maxText   = 20_000 // of an entry
	shortText = 400    // of a text that is shown at once
)

// Page returns the things of a tree as one page in HTML, which loads nothing.
func Page(tree *fs.Tree, q Query) []byte {
	p := pageRendering{known: map[string]bool{}, supersedes: map[string][]string{}}
	for _, t := range query.Things(tree, q.kinds()) {
		if !q.isNew(t.Time) && !q.isNew(t.ClosedAt) {
			continue
		}
		p.things = append(p.things, t)
		if t.Kind == kindDecision {
			p.known[t.ID] = true
			if t.SupersededBy != "" {
				p.supersedes[t.SupersededBy] = append(p.supersedes[t.SupersededBy], t.ID)
			}
		}
	}
	p.head(nameOf(tree))
	p.body()
	return Stamp([]byte(p.String()), "page")
}

// A pageRendering is a page under way.
type pageRendering struct {
	strings.Builder
	things     []query.Thing       // by kind, and then in order of time
	known      map[string]bool     // ids of the decisions on the page
	supersedes map[string][]string // ids of decisions by that of the one that supersedes them
}

// escaped returns a text as HTML.
func escaped(s string) string { return html.EscapeString(visible(s)) }

// source returns the source of a content security policy that allows exactly one text.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// policy returns the content security policy of the page.
func policy() string {
	return "default-src 'none'; style-src " + source(style) + "; script-src " + source(script) +
		"; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
}

// head writes the page up to its content.
func (p *pageRendering) head(name string) {
	name = escaped(text.OneLine(name))
	fmt.Fprintf(p, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<title>%s: decisions and records</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<style>%s</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<h1>%s</h1>
<p class="quiet">%s</p>
<form id="filter" role="search" hidden>
<label class="search">Search <input type="search" id="words" autocomplete="off"></label>
<label>Kind <select id="kind"><option value="">all</option>`, html.EscapeString(policy()), name, style, name, escaped(p.newest()))
	p.eachKind(func(kind string, _ []query.Thing) {
		fmt.Fprintf(p, "<option>%s</option>", escaped(kind))
	})
	p.WriteString(`</select></label>
<label class="check"><input type="checkbox" id="current"> Only what is in force</label>
<p id="count" role="status"></p>
</form>
</header>
<nav aria-label="Kinds"><ul>
`)
	p.eachKind(func(kind string, all []query.Thing) {
		fmt.Fprintf(p, "<li><a href=\"#kind-%s\">%s</a></li>\n", kind, escaped(text.Count(len(all), kind)))
	})
	p.WriteString("</ul></nav>\n")
}

// body writes the content and the end of the page.
func (p *pageRendering) body() {
	p.WriteString("<main id=\"main\" tabindex=\"-1\">\n")
	if len(p.things) == 0 {
		p.WriteString("<p>There is nothing to show.</p>\n")
	}
	p.eachKind(func(kind string, all []query.Thing) {
		fmt.Fprintf(p, "<section data-kind=\"%s\" aria-labelledby=\"kind-%s\">\n<h2 id=\"kind-%s\">%s</h2>\n", kind, kind, kind, escaped(text.Count(len(all), kind)))
		for i := len(all) - 1; i >= 0; i-- { // the newest first
			p.entry(&all[i])
		}
		p.WriteString("</section>\n")
	})
	fmt.Fprintf(p, "</main>\n<footer><p>Made by <code>forgemind export html</code>. Nothing on this page is loaded from elsewhere.</p></footer>\n<script>%s</script>\n</body>\n</html>\n", script)
}

// eachKind calls fn with the things of each kind.
func (p *pageRendering) eachKind(fn func(kind string, all []query.Thing)) {
	for start := 0; start < len(p.things); {
		end := start
		for end < len(p.things) && p.things[end].Kind == p.things[start].Kind {
			end++
		}
		fn(p.things[start].Kind, p.things[start:end])
		start = end
	}
}

// newest returns the number of entries and the date of the newest, in words.
func (p *pageRendering) newest() string {
	newest := ""
	for _, t := range p.things {
		newest = max(newest, day(t.Time))
	}
	if newest == "" {
		return text.Count(len(p.things), "entry")
	}
	return text.Count(len(p.things), "entry") + ", the newest of " + newest
}

// entry writes a thing.
func (p *pageRendering) entry(t *query.Thing) {
	class := ""
	if t.Closed {
		class = ` class="closed"`
	}
	title := text.Head(text.OneLine(t.Title), 300)
	fmt.Fprintf(p, "<article id=\"%s\"%s>\n<h3>%s</h3>\n<p class=\"meta\">%s</p>\n", anchor(t.Kind, t.ID), class, escaped(title), p.details(t))
	if rest := strings.TrimSpace(strings.TrimPrefix(t.Text, t.Title)); rest != "" {
		p.text(rest)
	}
	p.WriteString("</article>\n")
}

// text writes what an entry says below its title.
func (p *pageRendering) text(s string) {
	cut := ""
	if utf8.RuneCountInString(s) > maxText {
		s, cut = text.Head(s, maxText), "<p class=\"quiet\">The text is cut here; 'forgemind show' prints all of it.</p>\n"
	}
	block := "<div class=\"text\">" + escaped(s) + "</div>\n" + cut
	if len(s) > shortText {
		block = "<details><summary>Text</summary>\n" + block + "</details>\n"
	}
	p.WriteString(block)
}

// details returns what is known of a thing, as HTML.
func (p *pageRendering) details(t *query.Thing) string {
	var all []string
	if t.Status != "" {
		all = append(all, `<span class="status">`+escaped(text.OneLine(t.Status))+"</span>")
	}
	all = append(all, "<code>"+escaped(text.OneLine(t.ID))+"</code>")
	if at := day(t.Time); isDay(at) {
		all = append(all, fmt.Sprintf(`<time datetime="%s">%s</time>`, at, at))
	}
	if t.By != "" {
		all = append(all, escaped(text.OneLine(t.By)))
	}
	if t.SupersededBy != "" {
		all = append(all, "superseded by "+p.link(t.SupersededBy))
	}
	if t.Kind == kindDecision {
		for _, id := range p.supersedes[t.ID] {
			all = append(all, "supersedes "+p.link(id))
		}
	}
	if at := day(t.ClosedAt); t.Closed && t.SupersededBy == "" && isDay(at) {
		all = append(all, "closed on "+at)
	}
	return strings.Join(all, " · ")
}

// isDay reports whether a text is a date.
func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// link returns a link to a decision, or its id if it is not on the page.
func (p *pageRendering) link(id string) string {
	if !p.known[id] {
		return "<code>" + escaped(id) + "</code>"
	}
	return fmt.Sprintf(`<a href="#%s">%s</a>`, html.EscapeString(url.PathEscape(anchor(kindDecision, id))), escaped(id))
}

// anchor returns the id of an entry on the page. An id with other characters than those of
// forgemind's ids is replaced by a hash of it.
func anchor(kind, id string) string {
	if !schema.ValidID(id) {
		id = schema.DerivedID("", []byte(id))
	}
	return kind + "-" + id
}
