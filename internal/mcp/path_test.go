package mcp

import "testing"

func TestPathIn(t *testing.T) {
	for given, want := range map[string]string{
		"walls/south.md": "walls/south.md", "./walls//south.md": "walls/south.md", `walls\south.md`: "walls/south.md", "a/../b": "b", ".": ".", "walls/": "walls/",
		"/home/bo/orchard/walls/south.md": "walls/south.md", "/home/bo/orchard": ".", "/home/bo/orchard/": ".", "/home/bo/orchard/walls/": "walls/",
		"a.go:42": "a.go", "a.go:42:7": "a.go", "a.go#L3-L9": "a.go", "a:b": "a:b", "...": "...", "..a/b": "..a/b",
		"/home/bo/orchards/x": "", "/etc/passwd": "", "..": "", "../x": "", "a/../../x": "", "/home/bo/orchard/../x": "", `..\x`: "", "/": "",
	} {
		got, err := pathIn("/home/bo/orchard", given)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, want %q: %v", given, got, want, err)
		}
	}
}
