package recall

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
)

func TestSlug(t *testing.T) {
	for title, want := range map[string]string{
		"JWT Authentication":              "jwt-authentication",
		"  Don't use: RS256/HS256!  ":     "dont-use-rs256-hs256",
		"Größe der Straße – Ærø":          "groesse-der-strasse-aero",
		"JWT 認証":                          "jwt",
		"../../etc/passwd":                "etc-passwd",
		strings.Repeat("word ", 30):       "word-word-word-word-word-word-word-word-word-word",
		strings.Repeat("x", 80):           strings.Repeat("x", 50),
		"con":                             "con",
		"line one\nline two\x1b[31m":      "line-one-line-two-31m",
		"résumé naïve façade Łódź señor…": "resume-naive-facade-lodz-senor",
	} {
		if got := slug(title); got != want {
			t.Errorf("slug(%q) = %q, want %q", title, got, want)
		}
	}
	// Of a title in another script comes a name of its own, always the same.
	shape := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, title := range []string{"認証の設計と実装の詳細", "Проектирование входа", "Проектирование выхода", "", "!", "a", "🚀🚀", strings.Repeat("認", 200) + strings.Repeat("x", 49)} {
		got := slug(title)
		if !shape.MatchString(got) || len(got) > maxSlug || seen[got] || got != slug(title) {
			t.Errorf("slug(%q) = %q", title, got)
		}
		seen[got] = true
	}
}

func TestFragmentName(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2025, 11, 9, 23, 30, 0, 0, time.FixedZone("", -3600*2)) // the next day in UTC
	tree, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for _, want := range []string{"2025-11-10-jwt-7f3k2q.md", "2025-11-10-jwt-7f3k2q-2.md", "2025-11-10-jwt-7f3k2q-3.md"} {
		name, err := FragmentName(tree, fs.Quaid, "JWT", "frag-7f3k2q", at)
		if err != nil || name != ".quaid/memory/fragments/"+want {
			t.Fatalf("%s, %v; want %s", name, err, want)
		}
		file := filepath.Join(dir, filepath.FromSlash(strings.Replace(name, "jwt", "JWT", 1))) // in whatever case
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if name, err := FragmentName(tree, "elsewhere", "JWT", "frag-7f3k2q", at); err == nil {
		t.Errorf("a fragment outside both folders: %s", name)
	}
}

func TestFragmentsOfBothFoldersTheNewestFirst(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".quaid/memory/fragments/2025-11-09-jwt-7f3k2q.md", jwt)
	write(".quaid/memory/fragments/2025-11-10-plain.md", "# Written by hand\n")
	write(".quaid/memory/fragments/undated.md", "no heading")
	write(".quaid/memory/fragments/picture.png", "\x89PNG")
	write(".quaid/memory/notes.md", "# An agent's notes\n")
	write(".forgemind/memory/fragments/2025-11-08-old.md", strings.Replace(jwt, "2025-11-09T", "2025-11-08T", 1))
	if err := os.Symlink(filepath.Join(dir, ".quaid/memory/notes.md"), filepath.Join(dir, ".quaid/memory/fragments/link.md")); err != nil {
		t.Skip(err)
	}
	tree, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	list, faults, err := Fragments(tree)
	if err != nil {
		t.Fatal(err)
	}
	var titles, wrong []string
	for _, f := range list {
		titles = append(titles, f.Title+" "+f.Created)
	}
	for _, f := range faults {
		wrong = append(wrong, filepath.Base(f.Name))
	}
	want := "Written by hand 2025-11-10T00:00:00Z|JWT Authentication 2025-11-09T06:30:00.000Z|JWT Authentication 2025-11-08T06:30:00.000Z|undated "
	if got := strings.Join(titles, "|"); got != want {
		t.Errorf("listed\n%s\nwant\n%s", got, want)
	}
	if got := strings.Join(wrong, " "); got != "2025-11-10-plain.md link.md undated.md" {
		t.Errorf("faults: %s", got)
	}
}
