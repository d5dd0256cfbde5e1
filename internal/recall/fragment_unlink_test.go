package recall

import "testing"

func TestWithoutSession(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"---\nid: f\nsession: s-1\ntags: [a]\n---\n\nsession: s-1\n", "---\nid: f\ntags: [a]\n---\n\nsession: s-1\n"},
		{"---\r\nsession: \"s-1\" # where it was said\r\nid: f\r\n---\r\nText\r\n", "---\r\nid: f\r\n---\r\nText\r\n"},
		{"---\nid: f\nsession: s-1\n---\n", "---\nid: f\n---\n"},
		{"---\n{id: f, session: s-1}\n---\n", ""},
		{"---\nid: f\n---\n", ""},
		{"session: s-1\n", ""},
		{"---\nsession: [\n---\n", ""},
	} {
		got, ok := withoutSession([]byte(c.src))
		if string(got) != c.want || ok != (c.want != "") {
			t.Errorf("%q became %q, %t", c.src, got, ok)
		}
	}
}
