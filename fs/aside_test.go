package fs

import "testing"

func TestAside(t *testing.T) {
	for _, base := range []string{
		"DEC-7F3K2Q.json", "Q-7F3K2Q.updated-a1.json", "2026-03-01-walls.md", "hot_context.json", ".gitignore", ".gitattributes", "a.b_c.json",
		"LOCAL_1.json", "(1).json", " 2.json", "Room 1001.md", "sync-conflict-20260301-101500.json", "4913.json", "x~y.json", "swap.swp",
	} {
		if of, aside := Aside(base); aside {
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
		"DEC-1_REMOTE_4711.json":                            "DEC-1.json",
		"Q-1.updated-a1.sync-conflict-20260301-101500.json": "Q-1.updated-a1.json",
		"Notes (2) (1).md":                                  "Notes (2).md",
		"._DEC-1.json":                                      "",
		".DS_Store":                                         "",
		".#DEC-1.json":                                      "",
		"#DEC-1.json#":                                      "",
		"DEC-1.json~":                                       "",
		".DEC-1.json.swp":                                   "",
		"4913":                                              "",
		".syncthing.DEC-1.json.tmp":                         "",
	} {
		if of, aside := Aside(base); !aside || of != want {
			t.Errorf("%q: %q, %v; it is a copy of %q", base, of, aside, want)
		}
	}
}

func BenchmarkAside(b *testing.B) {
	for b.Loop() {
		Aside("DEC-7F3K2Q.json")
	}
}
