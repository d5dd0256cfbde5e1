package lazyregexp

import "testing"

func TestCompiledWhenItIsUsed(t *testing.T) {
	wrong := lazily("(")
	if !panics(func() { wrong.MatchString("") }) {
		t.Error("an expression that is wrong was used")
	}
	if r := lazily("^a+$"); !r.MatchString("aa") || r.MatchString("ab") {
		t.Error("it matches something else")
	}
}

// No test has to reach a pattern for it to be tried.
func TestCompiledAtOnceInATest(t *testing.T) {
	if !panics(func() { New("(") }) {
		t.Error("an expression that is wrong is taken")
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
