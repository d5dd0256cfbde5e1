package validate

import "testing"

// FuzzSameID holds sameID, which stops at the first difference, to the forms that it
// compares.
func FuzzSameID(f *testing.F) {
	f.Add("DEC-1", "dec-1")
	f.Add("cafe\u0301", "caf\u00e9")
	f.Add("K", "\u212a")
	f.Add("a@", "a`")
	f.Add("e", "e\u0301")
	f.Fuzz(func(t *testing.T, a, b string) {
		if got, want := sameID([]byte(a), []byte(b)), foldID(a) == foldID(b); got != want {
			t.Errorf("sameID(%q, %q) = %v, want %v", a, b, got, want)
		}
	})
}
