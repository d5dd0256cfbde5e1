package git

import "testing"

// Sides reads conflicts in git's three styles.
func TestSides(t *testing.T) {
	for _, c := range []struct {
		src, ours, theirs string
		ok                bool
	}{
		{"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\nd\n", "a\nb\nd\n", "a\nc\nd\n", true},
		{"<<<<<<< HEAD\nb\n||||||| 1234\nold\n=======\n>>>>>>> x\n", "b\n", "", true},
		{"<<<<<<<\r\nb\r\n=======\r\nc\r\n>>>>>>>\r\n", "b\r\n", "c\r\n", true},
		{"a\n", "a\n", "a\n", true},
		{"<<<<<<< HEAD\nb\n=======\nc\n", "b\n", "c\n", false},
		{"Title\n=======\n", "Title\n=======\n", "Title\n=======\n", true},
		{"<<<<<<< HEAD\n<<<<<<< HEAD\n=======\n>>>>>>> x\n", "", "", false},
	} {
		if ours, theirs, ok := Sides([]byte(c.src)); string(ours) != c.ours || string(theirs) != c.theirs || ok != c.ok {
			t.Errorf("%q: %q, %q, %v", c.src, ours, theirs, ok)
		}
	}
}
