package state_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// moved is a State of some artifacts: used says what the window holds.
func moved(used int, artifacts string) string {
	return fmt.Sprintf(`{"context_window": {"total_tokens": 1000, "used_tokens": %d, "usage_percent": %v},
 "loaded_artifacts": [%s]}`, used, float64(used)/10, artifacts)
}

func TestRestoreArtifacts(t *testing.T) {
	for _, c := range []struct{ what, then, now, want string }{
		{"what was loaded is loaded, what was not is not",
			moved(0, `{"id": "I", "loaded": true, "tokens": 5}, {"id": "M", "loaded": false}`),
			moved(150, `{"id": "M" , "loaded": true, "tokens": 50}, {"id": "I", "loaded": false, "tokens": 70}`),
			moved(170, `{"id": "M" , "loaded": false, "tokens": 50}, {"id": "I", "loaded": true, "tokens": 70}`)},
		{"what came since stays, unloaded",
			moved(0, ``), moved(150, `{"id": "D", "loaded": true, "tokens": 50, "x": 1.0}`), moved(100, `{"id": "D", "loaded": false, "tokens": 50, "x": 1.0}`)},
		{"what is always loaded stays loaded, though it came since",
			moved(0, ``), moved(150, `{"id": "C", "loaded": true, "load_layer": 1, "tokens": 50}`), moved(150, `{"id": "C", "loaded": true, "load_layer": 1, "tokens": 50}`)},
		{"what has left the list does not come back",
			moved(70, `{"id": "I", "loaded": true, "tokens": 70}`), moved(100, ``), moved(100, ``)},
		{"nothing is said of being loaded",
			moved(0, `{"id": "A", "loaded": true}, {"id": "B"}`), moved(0, `{"id": "A"}, {"id": "B"}, "words"`), moved(0, `{"id": "A", "loaded": true}, {"id": "B"}, "words"`)},
		{"a window that counts less than it holds", moved(0, ``), moved(20, `{"id": "D", "loaded": true, "tokens": 50}`), moved(0, `{"id": "D", "loaded": false, "tokens": 50}`)},
		{"there are none", `{}`, `{"loaded_artifacts": null}`, `{"loaded_artifacts": null}`},
	} {
		takes(t, c.what, state.RestoreArtifacts, c.now, c.then, c.want)
	}
}

// takes tries what is taken from a snapshot, twice.
func takes(t *testing.T, what string, take func(src, snapshot []byte) ([]byte, error), now, then, want string) {
	t.Helper()
	got, err := take([]byte(now), []byte(then))
	if err != nil || string(got) != want {
		t.Errorf("%s: %v\ngot  %s\nwant %s", what, err, got, want)
		return
	}
	if again, err := take(got, []byte(then)); err != nil || string(again) != want {
		t.Errorf("%s, twice: %v\n%s", what, err, again)
	}
	for _, broken := range [][2]string{{"{", then}} {
		if got, err := take([]byte(broken[0]), []byte(broken[1])); err == nil {
			t.Errorf("%s: of %q came %s", what, broken, got)
		}
	}
}

// Whatever happened since the snapshot: going back loses no decision, question,
// action or artifact, and leaves a State without findings.
func TestGoingBackLosesNothing(t *testing.T) {
	start := example(t)
	rapid.Check(t, func(rt *rapid.T) {
		then, src := []byte(start), []byte(start)
		do := func(change edit) {
			out, err := change(src)
			if err != nil {
				rt.Fatal(err)
			}
			src = out
		}
		set := func(pointer string, n int) {
			do(func(src []byte) ([]byte, error) { return state.Set(src, pointer, fmt.Sprint(n)) })
		}
		set("/project/clarity", 90)
		for n := range rapid.IntRange(0, 12).Draw(rt, "steps") {
			switch rapid.IntRange(0, 5).Draw(rt, "what") {
			case 0:
				do(func(src []byte) ([]byte, error) {
					return jsonedit.Append(src, "/recent_decisions", fmt.Appendf(nil, `{"id": "DEC-%03d", "decision": "Use pears", "immutable": true}`, 10+n))
				})
			case 1:
				do(ask(fmt.Sprintf("Q-%03d", 10+n)))
			case 2:
				do(add(fmt.Sprintf("ACT-%03d", 10+n)))
			case 3:
				set("/project/clarity", n*8)
			case 4:
				i := rapid.IntRange(0, 2).Draw(rt, "artifact")
				flip, tokens := !decoded(rt, src).LoadedArtifacts[i].Loaded, int(decoded(rt, src).LoadedArtifacts[i].Tokens)
				if !flip {
					tokens = -tokens
				}
				used := int(decoded(rt, src).ContextWindow.UsedTokens) + tokens
				do(func(src []byte) ([]byte, error) {
					return state.Set(src, fmt.Sprintf("/loaded_artifacts/%d/loaded", i), fmt.Sprint(flip))
				})
				do(func(src []byte) ([]byte, error) {
					return state.Set(src, "/context_window/used_tokens", fmt.Sprint(used))
				})
			case 5:
				do(func(src []byte) ([]byte, error) { return state.SetMessageTokens(src, n*4000) })
			}
		}
		before := decoded(rt, src)
		do(func(src []byte) ([]byte, error) { return state.RestoreArtifacts(src, then) })

		after := decoded(rt, src)
		for what, pair := range map[string][2]string{
			"decisions": {fmt.Sprint(before.RecentDecisions), fmt.Sprint(after.RecentDecisions)},
			"questions": {fmt.Sprint(before.OpenQuestions), fmt.Sprint(after.OpenQuestions)},
			"actions":   {fmt.Sprint(actionIDs(before)), fmt.Sprint(actionIDs(after))},
			"messages":  {fmt.Sprint(before.ContextWindow.OtherTokens), fmt.Sprint(after.ContextWindow.OtherTokens)},
			"loaded":    {loadedIDs(decoded(rt, then)), loadedIDs(after)},
		} {
			if pair[0] != pair[1] {
				rt.Fatalf("%s: %s became %s", what, pair[0], pair[1])
			}
		}
		if b, a := *before.Project, *after.Project; b.Clarity != a.Clarity || b.CurrentLayer != a.CurrentLayer {
			rt.Fatalf("%+v", after.Project)
		}
		if findings := validate.Bytes(fs.State, src, validate.Options{}); len(findings) > 0 {
			rt.Fatalf("%+v\n%s", findings, src)
		}
	})
}

func loadedIDs(s schema.State) string {
	var ids []string
	for _, a := range s.LoadedArtifacts {
		if a.Loaded {
			ids = append(ids, a.ID)
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}
