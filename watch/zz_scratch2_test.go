package watch

import "testing"

func TestYMirror(t *testing.T) {
	for seed := range uint64(60) {
		mirror(t, Options{}, 1000+seed)
	}
}
func TestYMirrorSmall(t *testing.T) {
	for seed := range uint64(40) {
		mirror(t, Options{Poll: true, PollEvery: 1e7}, 5000+seed)
	}
}
