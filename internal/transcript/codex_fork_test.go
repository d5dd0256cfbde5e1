package transcript

import (
	"slices"
	"strings"
	"testing"
)

// A session of Codex's that was forked holds what was said in it, and not the copy of what was
// said before: that ends with a turn that began after the fork, or with a pause.
func TestAForkHoldsWhatIsItsOwn(t *testing.T) {
	t.Parallel()
	const (
		fork   = `{"timestamp":"2026-11-28T04:02:41.938Z","type":"session_meta","payload":{"id":"01a22051-ce48-79f1-ae7f-60fdfd257ec8","forked_from_id":"01a21dd5-5b28-7fd0-b0de-e61ebf6c4591"}}`
		parent = `{"timestamp":"2026-11-28T04:02:41.939Z","type":"session_meta","payload":{"id":"01a21dd5-5b28-7fd0-b0de-e61ebf6c4591"}}`
		old    = `{"timestamp":"2026-11-28T04:02:41.940Z","type":"turn_context","payload":{"turn_id":"01a21dd5-5b64-7b30-904a-13f0fa29e059"}}`
		fresh  = `{"timestamp":"2026-11-28T04:02:41.974Z","type":"event_msg","payload":{"type":"task_started","turn_id":"01a22051-ceac-7eb0-bc3f-498a8325a694"}}`
		first  = `{"timestamp":"2026-11-28T04:02:41.980Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Press the pears."}]}}`
		second = `{"timestamp":"2026-11-28T04:02:41.990Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Go on."}]}}`
		event  = `{"timestamp":"2026-11-28T04:02:41.945Z","type":"event_msg","payload":{"type":"user_message","message":"Go on."}}`
		back   = `{"timestamp":"2026-11-28T04:02:41.971Z","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}`
		paused = `{"timestamp":"2026-11-28T04:02:43.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Go on."}]}}`
	)
	const nothing, pears, goOn, both = "", "Press the pears.", "Go on.", "Press the pears. Go on."
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"the turn tells":                {[]string{fork, parent, old, first, fresh, second}, goOn},
		"it was written down later":     {[]string{strings.Replace(fork, "41.938Z", "41.974999Z", 1), parent, old, first, strings.Replace(fresh, "01a22051-ceac", "01a22051-ce49", 1), second}, goOn},
		"a pause tells":                 {[]string{fork, parent, first, paused}, goOn},
		"the first line has no time":    {[]string{strings.Replace(fork, `"timestamp":"2026-11-28T04:02:41.938Z",`, "", 1), parent, first, paused}, goOn},
		"new versions copy nothing":     {[]string{fork, fresh, first, second}, both},
		"a subagent begins at once":     {[]string{fork, parent, fresh, first, second}, both},
		"all is copied":                 {[]string{fork, parent, old, first, second}, nothing},
		"it is no fork":                 {[]string{parent, first, second}, both},
		"it is forked from nothing":     {[]string{strings.Replace(fork, `"01a21dd5-5b28-7fd0-b0de-e61ebf6c4591"`, `""`, 1), parent, first, paused}, both},
		"the parent is not named":       {[]string{fork, first, second}, both},
		"only an event was copied":      {[]string{fork, parent, old, event, fresh, second}, goOn},
		"the turn is a number":          {[]string{fork, parent, first, strings.Replace(fresh, `"01a22051-ceac-7eb0-bc3f-498a8325a694"`, "7", 1), paused}, goOn},
		"a turn that is copied is back": {[]string{fork, parent, old, first, back, fresh, second}, goOn},
	} {
		im, err := Read([]byte(strings.Join(c.lines, "\n")))
		if got := saidIn(im); err != nil || got != c.want {
			t.Errorf("%s: %q is read, not %q (%v)", name, got, c.want, err)
		}
		copied := slices.ContainsFunc(im.Skipped, func(s Skipped) bool { return s.Reason == "copied from another session" || s.Reason == "taken back" })
		if copied == (c.want == both) || len(im.TakenBack) > 0 {
			t.Errorf("%s: left out %v, taken back %v", name, im.Skipped, im.TakenBack)
		}
	}
	for name, c := range map[string]struct {
		before, part []string
		want         string
	}{
		"among the copies":        {[]string{fork, parent, first}, []string{old, second}, nothing},
		"the turn stands behind":  {[]string{fork, parent, first}, []string{second, old}, nothing},
		"late in a long copy":     {[]string{fork}, []string{strings.Replace(old, "02:41", "02:46", 1), strings.Replace(second, "02:41", "02:46", 1)}, nothing},
		"with the clock set back": {[]string{fork, fresh}, []string{strings.Replace(old, "02:41", "01:00", 1), strings.Replace(second, "02:41", "01:00", 1)}, goOn},
		"where the copies end":    {[]string{fork, parent, old}, []string{first, old, fresh, second}, goOn},
		"behind them":             {[]string{fork, parent, old, fresh}, []string{second, first}, goOn + " " + pears},
		"where nothing tells":     {[]string{fork, parent}, []string{first, second}, both},
		"in the fork's own turns": {[]string{fork, fresh}, []string{second, fresh}, goOn},
	} {
		im, err := ReadPart("codex", []byte(strings.Join(c.before, "\n")+"\n"), []byte(strings.Join(c.part, "\n")+"\n"))
		if got := saidIn(im); err != nil || got != c.want {
			t.Errorf("a part %s: %q is read, not %q (%v)", name, got, c.want, err)
		}
	}
}

// saidIn returns what the messages of a transcript say.
func saidIn(im Transcript) string {
	var all []string
	for _, m := range im.Messages {
		all = append(all, m.Content)
	}
	return strings.Join(all, " ")
}
