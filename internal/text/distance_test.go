package text

import "testing"

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"curate", "curate", 0}, {"curate", "curat", 1}, {"layer", "alyer", 1},
		{"status", "stauts", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3},
	} {
		if got, back := Distance(tt.a, tt.b), Distance(tt.b, tt.a); got != tt.want || back != tt.want {
			t.Errorf("%q and %q: %d and %d, want %d", tt.a, tt.b, got, back, tt.want)
		}
	}
}
