package triggers

import (
	"fmt"
	"testing"
)

// TestCompiledConditions holds that a condition is compiled once, an invalid one has
// its error each time, and the cache does not grow for ever.
func TestCompiledConditions(t *testing.T) {
	var c conditions
	first, err := c.of("current_layer > 1")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.of("current_layer > 1"); again != first || err != nil {
		t.Errorf("it was compiled again, %v", err)
	}
	for range 2 {
		if condition, err := c.of("current_layer >"); condition != nil || err == nil {
			t.Errorf("an invalid condition gives %v, %v", condition, err)
		}
	}
	for n := range maxCompiled + 10 {
		if _, err := c.of(fmt.Sprintf("current_layer > %d", n)); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.known) > maxCompiled {
		t.Errorf("it keeps %d conditions", len(c.known))
	}
}
