package mcp

import (
	"encoding/json"
	"fmt"
	"testing"
)

// Agents that read the structured content alone learn from it what else to ask, as from the text.
func TestAListTellsWhatElseToAsk(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		list  list
		items int
		want  string
	}{
		"empty":            {list{plural: "results", none: `other "words"`}, 0, `map[hint:other "words" results:[] version:1]`},
		"empty, and known": {list{plural: "results"}, 0, `map[results:[] version:1]`},
		"cut":              {list{plural: "results", more: "ask for more by limit", none: "other words"}, 1, `map[hint:ask for more by limit more:1 results:[x] version:1]`},
		"cut, by offset":   {list{plural: "results", none: "other words"}, 1, `map[more:1 next_offset:1 results:[x] version:1]`},
		"whole":            {list{plural: "results", more: "ask for more by limit", none: "other words"}, 2, `map[results:[x x] version:1]`},
	} {
		total := 2
		if c.items == 0 {
			total = 0
		}
		for range c.items {
			c.list.add("x", "x")
		}
		given, err := c.list.answer(total)
		var got map[string]any
		if err == nil {
			err = json.Unmarshal(given.structured, &got)
		}
		if fmt.Sprint(got) != c.want || err != nil {
			t.Errorf("%s: %v, %v; want %s", name, got, err, c.want)
		}
	}
}
