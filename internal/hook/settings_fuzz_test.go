package hook

import (
	"bytes"
	"testing"
)

// FuzzSettings: whatever bytes a settings file holds, it is refused, or edited once
// and given back.
func FuzzSettings(f *testing.F) {
	for _, src := range []string{
		"", "{}", "{ }", "{/**/}", "{\"hooks\":{}}", "{\"hooks\":{\"Stop\":[,]}}", "{\"hooks\":{\"Stop\":[1,]}, // x\n}", "\xEF\xBB\xBF{}", "{\"a\":\"//\"}\r\n",
		"// a\n{\"version\":1,\"hooks\":{\"stop\":[{\"command\":\"forgemind hook run stop --agent cursor\"}]}} // b", "{\"hooks\":[]}", "{\"a\":1,\"a\":2}",
		"{\"hooks\":{\"Stop\":[{\"hooks\":[{\"command\":\"forgemind hook run Stop --agent claude\"},{}]}]}}", "# a\n[b]\n", "{\"mcpServers\":{\"forgemind\":1}}",
		"<!-- forgemind:begin 009279ee6113 -->\nx\n<!-- forgemind:end -->", "<!-- forgemind:end -->\n",
		"\f", "\u00a0", " \r\n\t", "\uFEFF", "\uFEFF \n",
	} {
		f.Add([]byte(src))
	}
	all := []piece{claudeSpots(Project, program{})[0].piece, cursorSpots(Project, program{})[0].piece, server(program{}, "", false), tomlServer{}, testBlock, markdown("x\n")}
	f.Fuzz(func(t *testing.T, src []byte) {
		for i, p := range all {
			before, _ := p.look(src)
			out, made, note, err := p.put(src)
			if err != nil {
				if before != Unread && before != Absent && before != Partly && before != Other {
					t.Fatalf("%d: %v, yet %s", i, err, before)
				}
				continue
			}
			if again, _, _, err := p.put(out); err != nil || !bytes.Equal(again, out) {
				t.Fatalf("%d: twice: %v %q after %q", i, err, again, out)
			}
			if state, detail := p.look(out); note == "" && state != Installed && state != Other {
				t.Fatalf("%d: %s %s: %q", i, state, detail, out)
			}
			if back, ok := undone(out, undoing(src, out)); !ok || !bytes.Equal(back, src) {
				t.Fatalf("%d: %q became %q", i, src, back)
			}
			taken, _, err := p.take(out, append(made, "none"))
			if err != nil {
				t.Fatalf("%d: %v", i, err)
			}
			if state, _ := p.look(taken); taken != nil && note == "" && state != Absent {
				t.Fatalf("%d: it is still %s: %q", i, state, taken)
			}
			if before == Absent && note == "" && !bytes.Equal(squeeze(taken), squeeze(src)) { // white space in an empty list is for the receipt
				t.Fatalf("%d: %q became %q", i, src, taken)
			}
		}
	})
}
