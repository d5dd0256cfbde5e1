package fs

import (
	"path"
	"slices"
	"testing"
)

// original returns the one name that the file called name may be a copy of, "" for none.
func original(t *testing.T, name string) string {
	all := Originals(name)
	if len(all) > 1 {
		t.Errorf("%q may be a copy of %q", name, all)
	}
	return append(all, "")[0]
}

func TestCopiesAndLitterAreKnownByName(t *testing.T) {
	for name, want := range map[string]string{
		".quaid/context/sessions/c 2/metadata.json":                                            ".quaid/context/sessions/c",
		".quaid/context/sessions/c (Ann's conflicted copy 2026-03-01)/archive.jsonl":           ".quaid/context/sessions/c",
		".forgemind/decisions 2/DEC-1.json":                                                    ".forgemind/decisions/DEC-1.json",
		".forgemind/config (1).json":                                                           ".forgemind/config.json",
		".forgemind/context-config 2.yaml":                                                     ".forgemind/context-config.yaml",
		".forgemind/context/messages - Copy.jsonl":                                             ".forgemind/context/messages.jsonl",
		".quaid/context/sessions/c/hot_context.sync-conflict-20260301-101500-ABC.json":         ".quaid/context/sessions/c/hot_context.json",
		".forgemind/condensations/Notes (2) (conflicted copy 2026-03-01).md":                   ".forgemind/condensations/Notes (2).md",
		".forgemind/threads/dev/Sprint 2.sync-conflict-20260301-101500-ABC.json":               ".forgemind/threads/dev/Sprint 2.json",
		".forgemind/context/context-history/session-1 (Ann's conflicted copy 2026-03-01).json": ".forgemind/context/context-history/session-1.json",
	} {
		if of := original(t, name); of != want {
			t.Errorf("%q: %q; it is a copy of %q", name, of, want)
		}
	}
	const decisions = Forgemind + "/" + DecisionsDir + "/"
	for _, name := range []string{".forgemind/threads/dev/Sprint 2.json", ".forgemind/notebook (1).json", ".forgemind/notebook.sync-conflict-20260301-101500.json", ".forgemind/condensations/Sprint 2/a.md", ".forgemind/memory/Plan (2027)/a.md",
		".forgemind/cold-storage/c 2/2026-03.jsonl", ".forgemind/context/sessions/c 2/metadata.json", ".quaid/context/sessions/c 2", ".quaid/context/sessions/c-copy/metadata.json", ".forgemind/notebook 2/a.json", ".forgemind/notes 2/talk.md", ".forgemind/goals (old)/a/goal-1.json"} {
		if of := original(t, name); of != "" {
			t.Errorf("%q is a copy of %q", name, of)
		}
	}
	for _, base := range []string{
		"DEC-7F3K2Q.json", "Q-7F3K2Q.updated-a1.json", "2026-03-01-walls.md", "hot_context.json", ".gitignore", ".gitattributes", "a.b_c.json",
		"DB_LOCAL_1.json", "(1).json", " 2.json", "Room 1001.md", "sync-conflict-20260301-101500.json", "4913.json", "x~y.json", "swap.swp",
		"Release 2.md", "API (draft).md", "a copy.md", "2026-03.sync-conflict-20260301-101500.jsonl",
	} {
		if of := original(t, decisions+base); of != "" || IsLitter(base) {
			t.Errorf("%q is litter, or a copy of %q", base, of)
		}
	}
	for base, want := range map[string]string{
		"DEC-1 2.json":           "DEC-1.json",
		"DEC-1 (1).json":         "DEC-1.json",
		"DEC-1(1).json":          "DEC-1.json",
		"DEC-1 copy.json":        "DEC-1.json",
		"DEC-1 copy 3.json":      "DEC-1.json",
		"DEC-1 - Copy.json":      "DEC-1.json",
		"DEC-1 - Copy (2).json":  "DEC-1.json",
		"Copy of DEC-1.json":     "DEC-1.json",
		"Copy (2) of DEC-1.json": "DEC-1.json",
		"DEC-1 (Ann's conflicted copy 2026-03-01).json":     "DEC-1.json",
		"DEC-1 (SFConflict ann 2026-03-01-10-15-00).json":   "DEC-1.json",
		"DEC-1.sync-conflict-20260301-101500-ABCDEFG.json":  "DEC-1.json",
		"DEC-1_conflict-20260301-101500.json":               "DEC-1.json",
		"Q-1.updated-a1.sync-conflict-20260301-101500.json": "Q-1.updated-a1.json",
		"._DEC-1.json":              "",
		".DS_Store":                 "",
		".#DEC-1.json":              "",
		"#DEC-1.json#":              "",
		"DEC-1.json~":               "",
		".DEC-1.json.swp":           "",
		"4913":                      "",
		".DEC-1.json.icloud":        "",
		".syncthing.DEC-1.json.tmp": "",
	} {
		if want != "" {
			want = decisions + want
		}
		if of := original(t, decisions+base); of != want || IsLitter(decisions+base) != (want == "") {
			t.Errorf("%q: %q, litter: %v; it is a copy of %q", base, of, IsLitter(base), want)
		}
	}
}

func TestReadersPassOverCopiesOfFolders(t *testing.T) {
	tree := openTree(t, t.TempDir())
	for _, name := range []string{"c/archive.jsonl", "c 2/archive.jsonl", "c 2/more/archive.jsonl", "c 2 3/archive.jsonl", "d copy/archive.jsonl", "e~/archive.jsonl", "f/.DS_Store", "f/notes.txt", "f (1)/archive.jsonl", "g/metadata.json", "g 2/archive.jsonl"} {
		put(t, tree, Sessions+"/"+name, "{}\n")
	}
	put(t, tree, Sessions+"/g/metadata.json", "{")
	want := []string{Sessions + "/c/archive.jsonl", Sessions + "/d copy/archive.jsonl", Sessions + "/e~/archive.jsonl", Sessions + "/f (1)/archive.jsonl", Sessions + "/g 2/archive.jsonl"}
	var names, stamped []string
	for name, err := range tree.Names(Sessions) {
		if err != nil {
			t.Fatal(err)
		}
		if path.Base(name) == "archive.jsonl" {
			names = append(names, name)
		}
	}
	stamps, _, err := tree.StampsBelow(Sessions, "archive.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stamps {
		stamped = append(stamped, s.Name)
	}
	if !slices.Equal(names, want) || !slices.Equal(stamped, want) {
		t.Errorf("names %q, stamps of %q; want %q", names, stamped, want)
	}
	if stamps, _, err := tree.Stamps(Sessions + "/c 2"); err != nil || len(stamps) > 0 {
		t.Errorf("%v, %v in the copy", stamps, err)
	}
	for name, over := range map[string]bool{"/c 2/archive.jsonl": true, "/c 2/gone.jsonl": true, "/d copy/archive.jsonl": false} {
		if _, is := PassedOver(tree, Sessions+name); is != over {
			t.Errorf("%s is passed over: %v", name, !over)
		}
	}
}

func BenchmarkPassedOver(b *testing.B) {
	tree := openTree(b, b.TempDir())
	for b.Loop() {
		PassedOver(tree, ".forgemind/decisions/DEC-7F3K2Q.json")
	}
}
