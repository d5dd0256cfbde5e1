package hook

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// pieces are all pieces of settings files, by a name for people.
func pieces() map[string]piece {
	all := map[string]piece{}
	for _, a := range Agents() {
		for _, scope := range []Scope{Project, User} {
			for _, s := range a.spots(scope, program{}) {
				if _, is := s.piece.(plugin); is {
					continue // a file of ours
				}
				if s.part == partHooks || s.part == partStatus || s.part == partServer && !strings.HasSuffix(s.name, ".toml") {
					all[a.ID+" "+string(scope)+" "+string(s.part)] = s.piece
				}
			}
		}
	}
	return all
}

// TestPutAndTake: whatever a settings file looks like, what is put in is put in
// once, nothing else changes, and taking it out gives the file back, by the
// receipt or without.
func TestPutAndTake(t *testing.T) {
	for name, p := range pieces() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				odd := rapid.Bool().Draw(t, "odd")
				src := document(t, odd)
				out, made, _, err := p.put(src)
				if err != nil {
					t.Fatalf("%v\n%q", err, src)
				}
				if state, detail := p.look(out); state != Installed {
					t.Fatalf("it is %s (%s):\n%s", state, detail, out)
				}
				if again, _, _, err := p.put(out); err != nil || !bytes.Equal(again, out) {
					t.Fatalf("the second time it changed something (%v)\n%s", err, Diff("x", out, again))
				}
				if back, ok := undone(out, undoing(src, out)); !ok || !bytes.Equal(back, src) {
					t.Fatalf("the receipt leads elsewhere:\n%s", Diff("x", src, back))
				}
				if comments(t, src) != comments(t, out) {
					t.Fatalf("comments changed:\n%s", Diff("x", src, out))
				}
				if made == nil {
					made = []string{}
				}
				taken, _, err := p.take(out, made)
				if odd && bytes.Equal(squeeze(taken), squeeze(src)) {
					return // what stood around a comment that is alone in its brackets is only known by the receipt
				}
				if err != nil || !bytes.Equal(taken, src) {
					t.Fatalf("%v: with what was made known, it was taken out as\n%s\nafter\n%s", err, Diff("x", src, taken), out)
				}
			})
		})
	}
}

// comments are those of a text, in order.
func comments(t *rapid.T, src []byte) string {
	s, err := readSettings(src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	var all []string
	for _, c := range s.comments {
		all = append(all, string(src[c[0]:c[1]]))
	}
	return strings.Join(all, "\n")
}

// TestEditedInBetween: what a person adds between putting in and taking out stays,
// and only ours leaves.
func TestEditedInBetween(t *testing.T) {
	add := func(t *rapid.T, src []byte) []byte {
		out, err := jsonedit.Set(src, "/added", []byte(`{"by": "hand"}`))
		if err == nil {
			out, err = jsonedit.Append(out, "/hooks/Stop", []byte(`{"hooks": [{"type": "command", "command": "added.sh"}]}`))
		}
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for name, p := range pieces() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				src := document(t, false)
				out, made, _, err := p.put(src)
				if err != nil {
					t.Fatal(err)
				}
				taken, _, err := p.take(add(t, out), append(made, "none"))
				if err != nil {
					t.Fatal(err)
				}
				want := add(t, src)
				if slices.Contains(made, "/version") && slices.Contains(made, "/hooks") { // it stays, for what was added needs it
					if want, err = jsonedit.Set(want, "/version", []byte("1")); err != nil {
						t.Fatal(err)
					}
				}
				if canonical(t, taken) != canonical(t, want) {
					t.Fatalf("ours and more went:\n%s", Diff("x", want, taken))
				}
			})
		})
	}
}

// canonical is the meaning of a text: members sorted, no white space.
func canonical(t *rapid.T, src []byte) string {
	d, err := jsonedit.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	var of func(i int) string
	of = func(i int) string {
		var parts []string
		for c := range d.Children(i) {
			parts = append(parts, d.Key(c)+":"+of(c))
		}
		if d.Nodes[i].Kind == jsonedit.Object {
			slices.Sort(parts)
		}
		if d.Nodes[i].Len == 0 {
			return string(squeeze(d.Raw(i)))
		}
		return "(" + strings.Join(parts, ",") + ")"
	}
	return of(0)
}

func squeeze(src []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, src)
}

// TestPut shows on small files how an entry is laid out.
func TestPut(t *testing.T) {
	p := &hooks{agent: "codex", events: []event{{"Stop", "", 10}}}
	for _, c := range []struct{ about, src, want string }{
		{"nothing", "", "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"forgemind hook run Stop --agent codex\",\n            \"timeout\": 10\n          }\n        ]\n      }\n    ]\n  }\n}\n"},
		{"one line", `{"a":1}`, `{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"forgemind hook run Stop --agent codex","timeout":10}]}]}}`},
		{"beside another's", "{\n\t\"hooks\": {\n\t\t\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}]\n\t}\n}",
			"{\n\t\"hooks\": {\n\t\t\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"x\"}]}, {\"hooks\": [{\"type\": \"command\", \"command\": \"forgemind hook run Stop --agent codex\", \"timeout\": 10}]}]\n\t}\n}"},
		{"a comment on the last line", "{\"hooks\": {\"Stop\": [\n  {\"hooks\": []} // mine\n]}}",
			"{\"hooks\": {\"Stop\": [\n  {\"hooks\": []}, // mine\n  {\n    \"hooks\": [\n      {\n        \"type\": \"command\",\n        \"command\": \"forgemind hook run Stop --agent codex\",\n        \"timeout\": 10\n      }\n    ]\n  }\n]}}"},
		{"a trailing comma", "{\"hooks\": {\"Stop\": [\n  {\"hooks\": []}, // mine\n]}}",
			"{\"hooks\": {\"Stop\": [\n  {\"hooks\": []}, // mine\n  {\n    \"hooks\": [\n      {\n        \"type\": \"command\",\n        \"command\": \"forgemind hook run Stop --agent codex\",\n        \"timeout\": 10\n      }\n    ]\n  },\n]}}"},
		{"a comment alone", "{\"hooks\": {\"Stop\": [ // none yet\n]}}",
			"{\"hooks\": {\"Stop\": [ // none yet\n{\"hooks\": [{\"type\": \"command\", \"command\": \"forgemind hook run Stop --agent codex\", \"timeout\": 10}]}]}}"},
	} {
		t.Run(c.about, func(t *testing.T) {
			out, _, _, err := p.put([]byte(c.src))
			if err != nil || string(out) != c.want {
				t.Errorf("%v\n%s\nwant\n%s", err, out, c.want)
			}
		})
	}
}

// TestPutRefuses says where a file cannot be edited, and why.
func TestPutRefuses(t *testing.T) {
	p := &hooks{agent: "codex", events: []event{{"Stop", "", 10}}}
	for _, c := range []struct{ src, want string }{
		{"{\n  \"a\": tru\n}", "f:2:8: expected a value for the member \"a\", found \"tru\""},
		{"\xEF\xBB\xBF{\n  \"a\": }", "f:2:8: expected a value for the member \"a\", found '}'"},
		{"[]", "f:1:1: an object is needed here, not an array"},
		{"{\"hooks\": []}", "f:1:11: an object is needed here, not an array"},
		{"{\"hooks\":\n {\"Stop\": {}}}", "f:2:11: an array is needed here, not an object"},
		{"{\"hooks\": null}", "f:1:11: an object is needed here, not null"},
		{"{\"hooks\": {},\n \"hooks\": {}}", "f:2:2: duplicate member \"hooks\""},
		{"{\"a\": 1 /* never ends }", "f:1:9: a comment begins here and does not end"},
		{"{\"a\": 1 / }", "f:1:9: expected ',' or '}' after the member \"a\", found '/'"},
		{"\xff\xfe{\x00}\x00", "f:1:1: the text is UTF-16: save it as UTF-8"},
		{"{\"a\": [,]}", "f:1:8: expected a value or ']'"},
		{"{\"a\": \"\xff\"}", "f:1:8: the byte 0xFF is not UTF-8"},
		{"// nothing but this", "f:1:1: expected a value, found an empty text"},
		{strings.Repeat("[", 200), "f:1:129: arrays and objects are nested more than 128 deep"},
	} {
		_, _, _, err := p.put([]byte(c.src))
		var fault *Fault
		if !errors.As(err, &fault) {
			t.Errorf("%q: %v", c.src, err)
			continue
		}
		fault.File = "f"
		if !strings.HasPrefix(fault.Error(), c.want) || fault.Hint == "" {
			t.Errorf("%q: %v (%s), want %s", c.src, fault, fault.Hint, c.want)
		}
	}
}

// TestLook tells the states apart.
func TestLook(t *testing.T) {
	p := &hooks{agent: "cursor", form: flat, version: true, strict: "Cursor", events: []event{{"stop", "", 10}, {"sessionEnd", "", 10}}}
	for _, c := range []struct {
		src    string
		state  State
		detail string
	}{
		{`{}`, Absent, ""},
		{`{"hooks": {"stop": [{"command": "forgemind hook run stop --agent claude"}]}}`, Absent, ""},
		{`{"hooks": {"stop": [{"command": "forgemind hook run stop --agent cursor"}]}}`, Partly, "without sessionEnd"},
		{`{"hooks": {"stop": [{"timeout": 10.0, "command": "forgemind hook run stop --agent cursor"}], "sessionEnd": [1, {"command": "forgemind hook run sessionEnd --agent cursor", "timeout": 10}]}}`, Installed, ""},
		{`{"hooks": {"stop": [{"command": "forgemind hook run stop --agent cursor", "timeout": 5}], "sessionEnd": [{"command": "forgemind hook run sessionEnd --agent cursor", "timeout": 10}]}}`, Other, "line 1, column 21: the hook for stop is not as this version writes it"},
		{`{"hooks": {"stop": [{"command": "forgemind hook run stop --agent cursor", "timeout": 10}], "sessionEnd": [{"command": "forgemind hook run sessionEnd --agent cursor", "timeout": 10}]},}`, Installed, "line 1, column 183: there is a comma behind the last element, and Cursor may pass over a file that is not plain JSON"},
		{`{"hooks": {"stop": [{"command": "forgemind hook run stop --agent cursor", "timeout": 10}], "sessionEnd": [{"command": "forgemind hook run sessionEnd --agent cursor", "timeout": 10}]}, "disableAllHooks": true}`, Installed, "line 1, column 204: disableAllHooks is true: no hook runs"},
		{`{`, Unread, "line 1, column 2: "},
	} {
		state, detail := p.look([]byte(c.src))
		if state != c.state || !strings.HasPrefix(detail, c.detail) {
			t.Errorf("%s: %s, %s; want %s, %s", c.src, state, detail, c.state, c.detail)
		}
	}
}

// TestCommandsStay: agents ask for trust in the very text of a hook, so that it must
// not change between releases.
func TestCommandsStay(t *testing.T) {
	var all []string
	for _, a := range Agents() {
		h, is := a.spots(Project, program{})[0].piece.(*hooks)
		if !is {
			continue // a file of ours, which nobody asks for trust
		}
		for _, e := range h.events {
			all = append(all, h.command(e.name))
			if !ourCommand.MatchString(h.command(e.name)) {
				t.Errorf("%s is not known for ours", h.command(e.name))
			}
		}
	}
	if want := "command -v forgemind >/dev/null || exit 0; forgemind hook run SessionStart --agent claude"; !slices.Contains(all, want) || len(all) != 42 {
		t.Errorf("%d commands: %s", len(all), strings.Join(all, "\n"))
	}
}

// TestServers: a server of that name which is not ours is left alone.
func TestServers(t *testing.T) {
	p := server(program{}, "", false)
	for _, text := range []string{
		`{"mcpServers": {"forgemind": {"command": "npx", "args": ["mcp"]}}}`, `{"mcpServers": {"forgemind": {"command": "forgemind", "args": ["serve"]}}}`,
		`{"mcpServers": {"forgemind": {"url": "https://example.org/forgemind"}}}`, `{"mcpServers": {"forgemind": "forgemind mcp"}}`,
	} {
		foreign := []byte(text)
		out, _, note, err := p.put(foreign)
		if err != nil || !bytes.Equal(out, foreign) || !strings.Contains(note, "there is another server called forgemind; it was left alone") {
			t.Errorf("%s, %q, %v", out, note, err)
		}
		if out, _, err := p.take(foreign, nil); err != nil || !bytes.Equal(out, foreign) {
			t.Errorf("%s, %v", out, err)
		}
		if state, _ := p.look(foreign); state != Foreign {
			t.Errorf("%s is %s", text, state)
		}
	}
}

// TestTOML: the table is put behind everything else, and taken out again; what
// could make it a second one of its name is refused.
func TestTOML(t *testing.T) {
	for _, src := range []string{"", "a = 1\n", "a = 1", "a = 1\r\n[b]\r\n", "a = 1\n\n\n", "s = '''\n[mcp_servers.other]\n'''\n", "\n",
		"s = '''\n# '''\n", "s = \"\"\"\na \\\"\"\" b\n[mcp_servers.forgemind]\n\"\"\"\n", "s = '''\\'''\n", "# it's ''' open\n", "[a]\nforgemind = 1\n[mcp_servers]\nother = {}\n"} {
		var before []byte
		if src != "" {
			before = []byte(src)
		}
		out, made, _, err := tomlServer{}.put(before)
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if state, _ := (tomlServer{}).look(out); state != Installed {
			t.Errorf("%q: %s", out, state)
		}
		if again, _, _, err := (tomlServer{}).put(out); err != nil || !bytes.Equal(again, out) {
			t.Errorf("%q: twice: %q, %v", src, again, err)
		}
		if taken, _, err := (tomlServer{}).take(out, made); err != nil || string(taken) != src || (taken == nil) != (before == nil) {
			t.Errorf("%q became %q (%v)", src, taken, err)
		}
	}
	for _, src := range []string{"mcp_servers = {}\n", "[mcp_servers]\nforgemind = {}\n", "x = \"\"\"\n", "mcp_servers.forgemind.command = 'x'\n", "[[mcp_servers]]\n"} {
		if _, _, _, err := (tomlServer{}).put([]byte(src)); err == nil {
			t.Errorf("%q is edited", src)
		}
	}
	ours := []byte("[mcp_servers.forgemind]\ncommand = \"/opt/forgemind\"\n")
	if out, _, note, err := (tomlServer{}).put(ours); err != nil || !bytes.Equal(out, ours) || note == "" {
		t.Errorf("%q, %q, %v", out, note, err)
	}
}

// TestTakeAmongOthers: wherever people have moved our value to, it leaves with one
// comma, and the comments around it stay.
func TestTakeAmongOthers(t *testing.T) {
	const ours = `"forgemind": {"command": "forgemind", "args": ["mcp"]}`
	for _, c := range []struct{ src, want string }{
		{`{"mcpServers": {OURS, "b": 1}}`, `{"mcpServers": {"b": 1}}`},
		{`{"mcpServers": {OURS,	"b": 1}}`, `{"mcpServers": {"b": 1}}`},
		{`{"mcpServers": {"a": 1, OURS, "b": 1}}`, `{"mcpServers": {"a": 1, "b": 1}}`},
		{`{"mcpServers": {"a": 1, OURS}}`, `{"mcpServers": {"a": 1}}`},
		{`{"mcpServers": {"a": 1, OURS,}}`, `{"mcpServers": {"a": 1,}}`},
		{`{"mcpServers": {OURS}}`, `{"mcpServers": {}}`},
		{`{"mcpServers": {OURS,}}`, `{"mcpServers": {}}`},
		{`{"mcpServers": {OURS /* mine */, "b": 1}}`, `{"mcpServers": { /* mine */"b": 1}}`},
		{`{"mcpServers": {/* mine */ OURS, "b": 1}}`, `{"mcpServers": {/* mine */ "b": 1}}`},
		{`{"mcpServers": {"a": 1 /* mine */, OURS /* too */}}`, `{"mcpServers": {"a": 1 /* mine */ /* too */}}`},
		{`{"mcpServers": {"a": 1, /* mine */ OURS}}`, `{"mcpServers": {"a": 1 /* mine */}}`},
		{"{\"mcpServers\": {\n  OURS,\n  \"b\": 1\n}}", "{\"mcpServers\": {\n  \"b\": 1\n}}"},
		{"{\"mcpServers\": {\n  \"a\": 1, // mine\n  OURS // too\n}}", "{\"mcpServers\": {\n  \"a\": 1 // mine // too\n}}"},
		{"{\"mcpServers\": {\n  // mine\n  OURS,\n  \"b\": 1\n}}", "{\"mcpServers\": {\n  // mine\n  \"b\": 1\n}}"},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			src, want := strings.ReplaceAll(strings.Replace(c.src, "OURS", ours, 1), "\n", eol), strings.ReplaceAll(c.want, "\n", eol)
			got, _, err := server(program{}, "", false).take([]byte(src), []string{})
			if err != nil || string(got) != want {
				t.Errorf("%s\nbecame\n%s\nnot\n%s (%v)", src, got, want, err)
			}
		}
	}
}

// TestTakeFromGroup: a hook that people have put into a group of ours stays in it,
// and so do groups of theirs in our lists.
func TestTakeFromGroup(t *testing.T) {
	const ours = `{"type": "command", "command": "forgemind hook run Stop --agent codex", "timeout": 10}`
	p := &hooks{agent: "codex", events: []event{{"Stop", "", 10}}}
	for _, c := range []struct{ src, want string }{
		{`{"hooks": {"Stop": [{"hooks": [OURS, {"command": "x"}]}]}}`, `{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}`},
		{`{"hooks": {"Stop": [{"hooks": [{"command": "x"}, OURS]}]}}`, `{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}`},
		{`{"hooks": {"Stop": [{"hooks": [OURS]}, {"hooks": [{"command": "x"}]}]}}`, `{"hooks": {"Stop": [{"hooks": [{"command": "x"}]}]}}`},
		{`{"hooks": {"Stop": [{"hooks": [OURS]}, {"hooks": [OURS]}], "Old": [{"hooks": [{"command": "x"}, OURS]}]}}`, `{"hooks": {"Old": [{"hooks": [{"command": "x"}]}]}}`},
		{`{"a": 1, "hooks": {"Stop": [{"hooks": [OURS]}]}}`, `{"a": 1}`},
	} {
		src := strings.ReplaceAll(c.src, "OURS", ours)
		if got, _, err := p.take([]byte(src), nil); err != nil || string(got) != c.want {
			t.Errorf("%s\nbecame\n%s\nnot\n%s (%v)", src, got, c.want, err)
		}
		renewed, _, _, err := p.put([]byte(src))
		if state, detail := p.look(renewed); err != nil || strings.Count(string(renewed), ours) != 1 || state == Partly || state == Absent {
			t.Errorf("%s\nbecame\n%s: %s %s (%v)", src, renewed, state, detail, err)
		}
	}
}
