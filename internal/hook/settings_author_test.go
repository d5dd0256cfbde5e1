package hook

import (
	"strings"

	"pgregory.net/rapid"
)

// An author writes a settings file in a way of their own.
type author struct {
	t            *rapid.T
	eol, unit    string
	colon        string
	multi, odd   bool // one member a line; with comments and trailing commas
	commas, pads bool
	out          strings.Builder
}

func (a *author) coin(label string) bool { return rapid.Bool().Draw(a.t, label) }

func (a *author) comment(depth int) {
	if !a.odd || rapid.IntRange(0, 3).Draw(a.t, "comment") > 0 {
		return
	}
	if a.multi && a.coin("line comment") {
		a.out.WriteString(" // mine, \"quoted\" {[ " + strings.Repeat(" ", rapid.IntRange(0, 2).Draw(a.t, "tail")))
		a.newline(depth)
		return
	}
	a.out.WriteString(" /* mine */ ")
}

func (a *author) newline(depth int) {
	a.out.WriteString(a.eol + strings.Repeat(a.unit, depth))
}

// list writes members or elements between brackets.
func (a *author) list(open, shut string, depth int, items []func()) {
	a.out.WriteString(open)
	if len(items) == 0 {
		if a.pads {
			a.comment(depth)
		}
		a.out.WriteString(shut)
		return
	}
	for i, item := range items {
		if a.multi {
			if i == 0 && a.pads && a.odd && a.coin("leading") {
				a.out.WriteString(" // about it")
			}
			a.newline(depth + 1)
		} else if i > 0 {
			a.out.WriteString(rapid.SampledFrom([]string{"", " "}).Draw(a.t, "gap"))
		}
		item()
		if i < len(items)-1 || a.commas {
			if a.odd && a.coin("before the comma") {
				a.comment(depth + 1)
			}
			a.out.WriteString(",")
			if a.odd && i == len(items)-1 && a.multi {
				a.out.WriteString(rapid.SampledFrom([]string{"", " // last", " /* last */"}).Draw(a.t, "after"))
			}
		} else if a.odd && a.multi {
			a.out.WriteString(rapid.SampledFrom([]string{"", " // last", " /* last */", a.eol + "// own line"}).Draw(a.t, "after"))
		}
	}
	if a.multi {
		a.newline(depth)
	}
	a.out.WriteString(shut)
}

func (a *author) member(name string, value func()) func() {
	return func() {
		a.out.WriteString(`"` + name + `"` + a.colon)
		value()
	}
}

func (a *author) raw(text string) func() { return func() { a.out.WriteString(text) } }

// document writes settings that may have hooks and servers of others.
func document(t *rapid.T, odd bool) []byte {
	a := &author{t: t,
		eol: rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol"), unit: rapid.SampledFrom([]string{"  ", "\t", "    ", ""}).Draw(t, "unit"),
		colon: rapid.SampledFrom([]string{": ", ":", " : "}).Draw(t, "colon"), multi: rapid.Bool().Draw(t, "multi"), odd: odd,
	}
	if odd {
		a.commas, a.pads = rapid.Bool().Draw(t, "commas"), rapid.Bool().Draw(t, "pads")
		if rapid.Bool().Draw(t, "bom") {
			a.out.WriteString(byteOrderMark)
		}
	}
	other := a.raw(`{"matcher": "Bash", "hooks": [{"type": "command", "command": "./mine.sh // {"}]}`)
	list := func() {
		var items []func()
		for range rapid.IntRange(0, 2).Draw(t, "hooks of others") {
			items = append(items, other)
		}
		a.list("[", "]", 2, items)
	}
	hooks := func() {
		var members []func()
		for _, name := range []string{"SessionStart", "Stop", "sessionStart", "Notification"} {
			if a.coin(name) {
				members = append(members, a.member(name, list))
			}
		}
		a.list("{", "}", 1, members)
	}
	servers := func() {
		var members []func()
		if a.coin("a server") {
			members = append(members, a.member("other", a.raw(`{"command": "x", "args": []}`)))
		}
		a.list("{", "}", 1, members)
	}
	members := []func(){a.member("env", a.raw(`{"A": "/* no comment */", "B": "\"//"}`)), a.member("hooks", hooks), a.member("mcpServers", servers),
		a.member("version", a.raw("1")), a.member("n", a.raw("1e5")), a.member("twice", a.raw("1")), a.member("twice", a.raw("2"))}
	var chosen []func()
	for _, i := range rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6}).Draw(t, "order")[:rapid.IntRange(0, 7).Draw(t, "members")] {
		chosen = append(chosen, members[i])
	}
	a.list("{", "}", 0, chosen)
	a.out.WriteString(rapid.SampledFrom([]string{"", "\n", "\r\n", "\n\n"}).Draw(t, "end"))
	return []byte(a.out.String())
}
