package schema_test

import (
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/schema"
)

func TestParseTime(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2025-10-27T09:00:00Z", "2025-10-27T09:00:00Z"},
		{"2025-10-27T09:00:00.5Z", "2025-10-27T09:00:00.5Z"},
		{"2025-10-27T09:00:00.123456789012Z", "2025-10-27T09:00:00.123456789Z"},
		{"2025-10-27T09:00:00+05:30", "2025-10-27T03:30:00Z"},
		{"2025-10-27T09:00:00-00:00", "2025-10-27T09:00:00Z"},
		{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
		{"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"},
		{"2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999999999Z"},
		{"2017-01-01T05:29:60.5+05:30", "2016-12-31T23:59:59.999999999Z"},
		{"2025-10-27T08:59:60Z", ""}, // no leap second is there
		{"2025-10-27T+9:00:00Z", ""},
		{"2025-10-27T9:00:00Z", ""},
		{"2025-10-27T09:00:00,5Z", ""},
		{"2025-10-27T09:00:00.Z", ""},
		{"2025-10-27T09:00:00+24:00", ""},
		{"2025-10-27T09:00:00+05:60", ""},
		{"2025-10-27T09:00:00+0530", ""},
		{"2025-10-27t09:00:00z", ""},
		{"2025-10-27 09:00:00Z", "2025-10-27T09:00:00Z"},
		{"2025-10-27 09:00:00.25+05:30", "2025-10-27T03:30:00.25Z"},
		{"2025-10-27T09:00:00", "2025-10-27T09:00:00Z"},
		{"2025-10-27 09:00:00.123456", "2025-10-27T09:00:00.123456Z"},
		{"2025-10-27  09:00:00", ""},
		{"2025-10-27 09:00", ""},
		{"2025-10-27 09:00:00 ", ""},
		{"2025-10-27T09:00:00.", ""},
		{"2025-10-27\t09:00:00", ""},
		{"2025-10-27T24:00:00Z", ""},
		{"2025-02-29T00:00:00Z", ""},
		{"2025-00-10T00:00:00Z", ""},
		{"2025-13-10T00:00:00Z", ""},
		{"2025-10-27", ""},
		{"2025-10-27T09:00:00Z ", ""},
		{" 2025-10-27T09:00:00Z", ""},
		{"٢٠٢٥-10-27T09:00:00Z", ""},
		{"", ""},
	} {
		got, err := schema.ParseTime(c.text)
		if c.want == "" {
			if err == nil {
				t.Errorf("%q is taken for %v", c.text, got)
			}
			continue
		}
		if shown := got.UTC().Format(time.RFC3339Nano); err != nil || shown != c.want {
			t.Errorf("%q: got %s, %v, want %s", c.text, shown, err, c.want)
		}
	}
}

func TestHasZone(t *testing.T) {
	for at, want := range map[string]bool{
		"2026-11-29T10:00:00Z": true, "2026-11-29 10:00:00.123456+00:00": true, "2026-11-29T10:00:00-05:00": true,
		"2026-11-29 10:00:00.123456": false, "2026-11-29T10:00:00": false, "": false,
	} {
		if schema.HasZone(at) != want {
			t.Errorf("%q: %v", at, !want)
		}
	}
}

func TestAsRFC3339(t *testing.T) {
	for text, want := range map[string]string{
		"2025-10-27T09:00:00Z":       "2025-10-27T09:00:00Z",
		"2025-10-27T09:00:00-05:30":  "2025-10-27T09:00:00-05:30",
		"2025-10-27T09:00:00+05:30":  "2025-10-27T09:00:00+05:30",
		"2025-10-27 09:00:00-05:30":  "2025-10-27T14:30:00.000Z",
		"2025-10-27 09:00:00Z":       "2025-10-27T09:00:00.000Z",
		"2025-10-27T09:00:00.123456": "2025-10-27T09:00:00.123Z",
		"2025-10-27":                 "",
		"":                           "",
	} {
		if got := schema.AsRFC3339(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestATimeThatIsNoneIsShownSafely(t *testing.T) {
	_, err := schema.ParseTime("\x1b[2J\u202e" + strings.Repeat("x", 10_000))
	if err == nil || len(err.Error()) > 300 || strings.ContainsAny(err.Error(), "\x1b\u202e") {
		t.Errorf("got %q", err)
	}
}

func TestFormatTime(t *testing.T) {
	at := time.Date(2026, 11, 20, 10, 30, 0, 123_999_999, time.FixedZone("", 3600))
	if got := schema.FormatTime(at); got != "2026-11-20T09:30:00.123Z" {
		t.Errorf("got %s", got)
	}
}

// Whatever is accepted is what the standard library reads, leap seconds apart,
// which it does not know.
func FuzzParseTime(f *testing.F) {
	for _, s := range []string{"2025-10-27T09:00:00Z", "2025-10-27T09:00:00.123+05:30", "2016-12-31T23:59:60Z", "2025-02-30T00:00:00Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := schema.ParseTime(s)
		if err != nil || strings.Contains(s, ":60") {
			return
		}
		withZone := strings.Replace(s, " ", "T", 1)
		if !schema.IsRFC3339(withZone) {
			withZone += "Z"
		}
		want, err := time.Parse(time.RFC3339, withZone)
		if err != nil || !want.Equal(got) {
			t.Errorf("%q: got %v, want %v, %v", s, got, want, err)
		}
		ms := got.Truncate(time.Millisecond)
		if y := got.UTC().Year(); y < 0 || y > 9999 {
			return
		}
		if again, err := schema.ParseTime(schema.FormatTime(got)); err != nil || !again.Equal(ms) {
			t.Errorf("%q: %v became %v, %v", s, ms, again, err)
		}
	})
}
