package fs

import (
	"slices"
	"testing"
)

func TestAside(t *testing.T) {
	for name, want := range map[string]string{
		".quaid/context/sessions/c 2/metadata.json":                                            ".quaid/context/sessions/c/metadata.json",
		".quaid/context/sessions/c (Ann's conflicted copy 2026-03-01)/archive.jsonl":           ".quaid/context/sessions/c/archive.jsonl",
		".forgemind/decisions 2/DEC-1.json":                                                    ".forgemind/decisions/DEC-1.json",
		".forgemind/projects/web.sync-conflict-20260301-101500-ABC/project.json":               ".forgemind/projects/web/project.json",
		".forgemind/config (1).json":                                                           ".forgemind/config.json",
		".forgemind/context-config 2.yaml":                                                     ".forgemind/context-config.yaml",
		".forgemind/context/messages - Copy.jsonl":                                             ".forgemind/context/messages.jsonl",
		".quaid/context/sessions/c/hot_context.sync-conflict-20260301-101500-ABC.json":         ".quaid/context/sessions/c/hot_context.json",
		".forgemind/condensations/Notes (2) (conflicted copy 2026-03-01).md":                   ".forgemind/condensations/Notes (2).md",
		".forgemind/threads/dev/Sprint 2.sync-conflict-20260301-101500-ABC.json":               ".forgemind/threads/dev/Sprint 2.json",
		".forgemind/context/context-history/session-1 (Ann's conflicted copy 2026-03-01).json": ".forgemind/context/context-history/session-1.json",
	} {
		if of, aside := Aside(name); !aside || of != want {
			t.Errorf("%q: %q, %v; it is a copy of %q", name, of, aside, want)
		}
	}
	const decisions = Forgemind + "/" + DecisionsDir + "/"
	for _, name := range []string{".forgemind/threads/dev/Sprint 2.json", ".forgemind/notebook (1).json", ".forgemind/notebook.sync-conflict-20260301-101500.json", ".forgemind/threads/dev/Sprint 2/thread.json", ".forgemind/channels/dev (old)/pins.json"} {
		if of, aside := Aside(name); aside {
			t.Errorf("%q is aside, a copy of %q", name, of)
		}
	}
	for _, base := range []string{
		"DEC-7F3K2Q.json", "Q-7F3K2Q.updated-a1.json", "2026-03-01-walls.md", "hot_context.json", ".gitignore", ".gitattributes", "a.b_c.json",
		"DB_LOCAL_1.json", "(1).json", " 2.json", "Room 1001.md", "sync-conflict-20260301-101500.json", "4913.json", "x~y.json", "swap.swp",
		"Release 2.md", "API (draft).md", "a copy.md", "2026-03.sync-conflict-20260301-101500.jsonl",
	} {
		if of, aside := Aside(decisions + base); aside {
			t.Errorf("%q is aside, a copy of %q", base, of)
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
		".syncthing.DEC-1.json.tmp": "",
	} {
		if want != "" {
			want = decisions + want
		}
		if of, aside := Aside(decisions + base); !aside || of != want {
			t.Errorf("%q: %q, %v; it is a copy of %q", base, of, aside, want)
		}
	}
}

func TestReadersPassOverCopiesOfFolders(t *testing.T) {
	tree := openTree(t, t.TempDir())
	for _, name := range []string{"c/archive.jsonl", "c 2/archive.jsonl", "c 2/more/archive.jsonl", "d copy/archive.jsonl", "e~/archive.jsonl"} {
		put(t, tree, Sessions+"/"+name, "{}\n")
	}
	want := []string{Sessions + "/c/archive.jsonl", Sessions + "/d copy/archive.jsonl", Sessions + "/e~/archive.jsonl"}
	var names, stamped []string
	for name, err := range tree.Names(Sessions) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
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
	for name, over := range map[string]bool{"/c 2/archive.jsonl": true, "/c 2/gone.jsonl": true, "/d copy/archive.jsonl": false} {
		if tree.IsPassedOver(Sessions+name) != over {
			t.Errorf("%s is passed over: %v", name, !over)
		}
	}
}

func BenchmarkAside(b *testing.B) {
	for b.Loop() {
		Aside(".forgemind/decisions/DEC-7F3K2Q.json")
	}
}
