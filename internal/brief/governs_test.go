package brief

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// exactly compares paths as they are written.
func exactly(text string) string { return text }

// Both sides of a comparison are folded.
func TestGovernsFolds(t *testing.T) {
	for _, r := range []Record{{Paths: []string{"Docs/Größe.md"}}, {Paths: []string{"{Docs,Doks}/Größe.md"}}, {Said: []string{"See Docs/Größe.md."}}} {
		if _, ok := r.Governs("docs/größe.md", exactly); ok {
			t.Errorf("%+v governs another path", r)
		}
		if _, ok := r.Governs("docs/GRÖSSE.md", strings.ToLower); ok {
			t.Errorf("%+v governs a path with other letters", r)
		}
		if _, ok := r.Governs("docs/größE.md", strings.ToLower); !ok {
			t.Errorf("%+v does not govern the path in other case", r)
		}
	}
}

// What a text or a decision names, and how that names a path.
func TestGoverns(t *testing.T) {
	for _, test := range []struct{ said, at, by string }{
		{"Keep internal/auth/jwt.go small", "internal/auth/jwt.go", ByPath},
		{"see `internal/auth/jwt.go:42`, it leaks", "internal/auth/jwt.go", ByPath},
		{"(internal/auth/jwt.go#L10-L20).", "internal/auth/jwt.go", ByPath},
		{"./internal/auth/jwt.go!", "internal/auth/jwt.go", ByPath},
		{`internal\auth\jwt.go`, "internal/auth/jwt.go", ByPath},
		{"Nobody edits internal/auth by hand", "internal/auth/jwt.go", ByFolder},
		{"Nobody edits internal/ by hand", "internal/auth/jwt.go", ByFolder},
		{"The internal docs of auth and/or jwt", "internal/auth/jwt.go", ""},
		{"internal/auth/session.go only", "internal/auth/jwt.go", ""},
		{"internal/authority is another", "internal/auth/jwt.go", ""},
		{"internal/au is none", "internal/auth/jwt.go", ""},
		{"internal/** needs a review", "internal/auth/jwt.go", ByPattern},
		{"internal/auth/*.go needs a review", "internal/auth/jwt.go", ByPattern},
		{"internal/*/ needs a review", "internal/auth/jwt.go", ByPattern},
		{"*.go is formatted", "internal/auth/jwt.go", ByPattern},
		{"internal/**/*.go is formatted", "internal/auth/jwt.go", ByPattern},
		{"internal/**/*.md is formatted", "internal/auth/jwt.go", ""},
		{"internal/**/auth/*.go is formatted", "internal/auth/jwt.go", ByPattern},
		{"internal/**/au*/*.go is formatted", "internal/deep/er/auth/jwt.go", ByPattern},
		{"internal/**/auth/*.go is formatted", "internal/auth/deep/jwt.go", ""},
		{"internal/**/auth is ours", "internal/x/auth/jwt.go", ByPattern},
		{"**/*.go is formatted", "main.go", ByPattern},
		{"internal/**/*.go is formatted", "internal/auth/", Below},
		{"internal/**/*.go is formatted", "internal", ""}, // which may be a file
		{"internal/auth/*.go is formatted", "internal/", Below},
		{"internal/auth/*.go is formatted", "internal/auth/", Below},
		{"internal/auth/*.go is formatted", "cmd/", ""},
		{"internal/auth/*.go is formatted", "internal/auth/jwt.go/", ByPattern},
		{"*.go is formatted", ".", Below},
		{"cmd/** is free", "internal/auth/jwt.go", ""},
		{"a * b, **bold** and what? [x]", "internal/auth/jwt.go", ""},
		{"jwt.go signs with RS256", "internal/auth/jwt.go", ByName},
		{"auth/jwt.go signs", "internal/auth/jwt.go", ByName},
		{"jwt signs", "internal/auth/jwt.go", ""},
		{"https://example.org/internal/auth/jwt.go", "internal/auth/jwt.go", ""},
		{"https://example.org/x", ".", ""},
		{"/internal/auth/jwt.go of another machine", "internal/auth/jwt.go", ""},
		{"../internal/auth/jwt.go", "internal/auth/jwt.go", ""},
		{"internal/auth/jwt.go", "internal/auth", Below},
		{"internal/auth/jwt.go", ".", Below},
		{"The Makefile is generated", "Makefile", ByPath},
		{"and/or", "internal/auth/jwt.go", ""},
		{"漢字/說明.md、 is ours", "漢字/說明.md", ""}, // no space, no word
		{"漢字/說明.md is ours", "漢字/說明.md", ByPath},
	} {
		r := Record{Said: []string{"nothing here", test.said}}
		g, ok := r.Governs(test.at, exactly)
		if ok != (test.by != "") || g.By != test.by {
			t.Errorf("%q governs %s by %q, not %q", test.said, test.at, g.By, test.by)
		}
	}
	for _, test := range []struct{ path, at, by string }{
		{"cmd", "cmd/forgemind/main.go", ByFolder},
		{"cmd/", "cmd/forgemind/main.go", ByFolder},
		{".", "cmd/forgemind/main.go", ByFolder},
		{"./cmd/forgemind/main.go", "cmd/forgemind/main.go", ByPath},
		{"cmd/forgemind/*", "cmd/forgemind/main.go", ByPattern},
		{"c*", "cmd/forgemind/main.go", ByPattern},
		{"cmd/forgemind/main.go", "cmd", Below},
		{"cmd/other", "cmd/forgemind/main.go", ""},
		{"cmd/{forgemind,other}/*.go", "cmd/forgemind/main.go", ByPattern},
		{"cmd/{other,forge{mind,d}}/main.go", "cmd/forgemind/main.go", ByPath},
		{"cmd/{a,x{b,c}y}/main.go", "cmd/xcy/main.go", ByPath},
		{"cmd/{other,another}/*.go", "cmd/forgemind/main.go", ""},
		{"cmd/{forgemind", "cmd/forgemind/main.go", ""},
		{"cmd/forgemind}/main.go", "cmd/forgemind/main.go", ""},
		{strings.Repeat("{a,b}", 40), "a", ""},
		{strings.Repeat("**/a/", 300) + "b", strings.Repeat("a/", 300) + "c", ""},
		{"**", "cmd/forgemind/main.go", ByPattern},
		{"[", "cmd/forgemind/main.go", ""},
		{"", "cmd/forgemind/main.go", ""},
	} {
		if g, _ := (&Record{Paths: []string{test.path}}).Governs(test.at, exactly); g.By != test.by {
			t.Errorf("the path %q governs %s by %q, not %q", test.path, test.at, g.By, test.by)
		}
	}
}

// The words that are passed over name nothing.
func TestCandidates(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		" ", "\n", "\u00a0", "src", "/", "\\", "auth", "jwt.go", ".", "*", "**", "Makefile", ",", "(", ")", ":", "42", "../", "漢字", "“", "é", "?", "[a-z]", "https://", "-", "x", "\xff",
	})
	text := rapid.Map(rapid.SliceOfN(piece, 0, 30), func(all []string) string { return strings.Join(all, "") })
	rapid.Check(t, func(t *rapid.T) {
		said := text.Draw(t, "said")
		at := rapid.SampledFrom([]string{".", "src", "src/auth", "src/auth/jwt.go", "Makefile", "漢字/é.go", "a b/c d", "x"}).Draw(t, "at")
		folder := rapid.Bool().Draw(t, "folder")
		var want, by string
		for word := range strings.FieldsFuncSeq(said, parts) {
			if by = names(strings.TrimRight(word, ".:!?"), at, folder || at == ".", false); by != "" {
				want = word
				break
			}
		}
		asked := at
		if folder {
			asked += "/"
		}
		r := Record{Said: []string{said}}
		if named, how := r.naming(asked, exactly); named != want || how != by {
			t.Fatalf("%q names %s as %q (%s), not as %q (%s)", said, at, named, how, want, by)
		}
	})
}
