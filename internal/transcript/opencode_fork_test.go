package transcript

import (
	"fmt"
	"slices"
	"testing"
)

// A session of opencode's that was forked holds copies of what was said before, under new ids and at the old
// times: they are left out. The first export is one of opencode 1.18.33.
func TestAForkOfOpencodeHoldsWhatIsItsOwn(t *testing.T) {
	t.Parallel()
	const (
		copied                      = "msg_220ebe877001aNS7SEg0PwMhNL"
		own                         = "msg_220ebec02001aNS7SEg0PwMhNL"
		nothing, mortar, lime, both = "", "Which mortar?", "Lime.", "Which mortar? Lime."
	)
	for name, c := range map[string]struct {
		began         int64 // in milliseconds, as the other times
		first, second string
		firstAt       int64
		revert        string
		want          string
	}{
		"a fork":                    {1795848661102, copied, own, 1763629201000, "", lime},
		"a fork of two years later": {1795848661102 + 1<<36, copied, own, 1763629201000, "", lime},
		"all is its own":            {1763629200000, "msg_9a9d1f2e3001AbCdEfGhIjKlMn", own, 1763629201000, "", both},
		"the clock was set back":    {1795848661102, "msg_220ebe800001aNS7SEg0PwMhNL", own, 1795848661000, "", both},
		"an id of another kind":     {1795848661102, "msg_1", own, 1763629201000, "", both},
		"an id with no time":        {1795848661102, "msg_zzzzzzzzzzzzaNS7SEg0PwMhNL", own, 1763629201000, "", both},
		"the session has no time":   {0, copied, own, 1763629201000, "", both},
		"undone from a copy on":     {1795848661102, copied, own, 1763629201000, fmt.Sprintf(`"revert":{"messageID":%q,"partID":"prt_1"},`, copied), nothing},
	} {
		said := func(id, role, text string, at int64) string {
			return fmt.Sprintf(`{"info":{"id":%q,"sessionID":"ses_1","role":%q,"time":{"created":%d}},"parts":[{"id":"prt_1","type":"text","text":%q}]}`, id, role, at, text)
		}
		im, err := Read(fmt.Appendf(nil, `{"info":{"id":"ses_1","title":"Walls (fork #1)",%s"time":{"created":%d}},"messages":[%s,%s]}`,
			c.revert, c.began, said(c.first, "user", mortar, c.firstAt), said(c.second, "assistant", lime, max(c.began, c.firstAt)+5000)))
		if got := saidIn(im); err != nil || im.Tool != "opencode" || got != c.want {
			t.Errorf("%s: %q is read of %s, not %q (%v)", name, got, im.Tool, c.want, err)
		}
		if left := slices.Contains(im.Skipped, Skipped{copiedElsewhere, 1}); left != (c.want != both) {
			t.Errorf("%s: left out %v", name, im.Skipped)
		}
	}
}
