package hook

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/schema"
)

// What is quoted has nothing secret, however it is cut, and says of each line which decision
// holds by now.
func TestQuote(t *testing.T) {
	records := brief.Records{Standing: schema.Current([]schema.Decision{{ID: "DEC-CHI"}, {ID: "DEC-MUX", Supersedes: []string{"DEC-CHI"}}})}
	r := &running{records: func() *brief.Records { return &records }}
	const secret = "ghp_Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1Wx2"
	for _, c := range []struct{ text, want string }{
		{"Lay it.\n\nAs DEC-CHI says.\nThen rest.", "Lay it. As DEC-CHI says. (superseded by DEC-MUX) Then rest."},
		{"Nothing superseded here.\nDEC-CHI " + strings.Repeat("x ", 200), "Nothing superseded here. DEC-CHI " + strings.Repeat("x ", 21) + "… (superseded by DEC-MUX)"},
		{"See DEC-CHI " + strings.Repeat("x ", 200), "See DEC-CHI " + strings.Repeat("x ", 31) + "x… (superseded by DEC-MUX)"},
		{strings.Repeat("x ", 200) + "DEC-CHI", strings.Repeat("x ", 37) + "x…"},
		{strings.Repeat(" ", 790) + "token " + secret, "token [masked:github-token]"},
		{strings.Repeat("x ", 37) + secret, strings.Repeat("x ", 37) + "[masked:github-token]"},
	} {
		got := r.quote(c.text, 100)
		if got != c.want || units(got) > 100 {
			t.Errorf("%.40q…: %q, not %q", c.text, got, c.want)
		}
	}
}
