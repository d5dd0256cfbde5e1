package present

import (
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
)

type tag struct {
	ID string `json:"id"`
}

func TestOutputsBeginWithVersionAndKind(t *testing.T) {
	for _, c := range []struct {
		print func(string, any) ([]byte, error)
		v     any
		want  string
	}{
		{JSON, tag{"}"}, "{\n  \"version\": 1,\n  \"kind\": \"tag\",\n  \"id\": \"}\"\n}\n"},
		{JSON, struct{}{}, "{\n  \"version\": 1,\n  \"kind\": \"tag\"\n}\n"},
		{Line, tag{"a"}, `{"version":1,"kind":"tag","id":"a"}`},
		{Line, struct{}{}, `{"version":1,"kind":"tag"}`},
		{List, []tag(nil), "{\n  \"version\": 1,\n  \"kind\": \"tag\",\n  \"tag\": []\n}\n"},
	} {
		if got, err := c.print("tag", c.v); err != nil || string(got) != c.want {
			t.Errorf("%+v: %v\n%s\nwant\n%s", c.v, err, got, c.want)
		}
	}
}

type node struct {
	tag
	ID    Hidden          `json:"id,omitzero"`
	Name  string          `json:"name"`
	Left  *node           `json:"left,omitempty"`
	Right *node           `json:"right"`
	Any   json.RawMessage `json:"any"`
	Sizes map[string]int  `json:"sizes"`
}

func TestSchemaFollowsTheTypes(t *testing.T) {
	text, err := OutputOf[node]("node", "A node").Schema()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required"`
		Defs       map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if want := "[version kind name right any sizes]"; fmt.Sprint(got.Required) != want {
		t.Errorf("required %v, want %s", got.Required, want)
	}
	if got.Properties["id"] != nil || got.Properties["left"] == nil || len(got.Defs) != 1 {
		t.Errorf("want left, no id, and one definition:\n%s", text)
	}
	for _, o := range []Output{
		OutputOf[struct {
			Kind string `json:"kind"`
		}]("kind", ""), OutputOf[struct {
			Run chan int `json:"run"`
		}]("run", ""), OutputOf[int]("int", ""),
	} {
		if _, err := o.Schema(); err == nil {
			t.Errorf("%s: want an error", o.Name)
		}
	}
}

func TestProblemsHaveAKind(t *testing.T) {
	for _, c := range []struct {
		err  error
		want Problem
	}{
		{errors.New("disk full"), Problem{Kind: IO}},
		{fmt.Errorf("read it: %w", iofs.ErrNotExist), Problem{Kind: NotFound}},
		{&engine.UnknownDecisionError{ID: "DEC-1"}, Problem{Kind: NotFound, Unmet: true}},
		{&engine.VersionError{}, Problem{Kind: Conflict, Unmet: true}},
		{engine.ErrNoSession, Problem{Precondition, true, "'forgemind session new' begins one"}},
	} {
		if got := ProblemOf(c.err); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.err, got, c.want)
		}
	}
	if got := ProblemOf(fmt.Errorf("write: %w", fs.ErrBusy)); got.Kind != Busy || got.Hint == "" {
		t.Errorf("busy: %+v", got)
	}
}
