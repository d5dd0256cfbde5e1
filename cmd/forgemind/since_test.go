package main

import (
	"testing"
	"time"
)

func TestSinceIsADurationADayOrATime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"7d": "2026-11-14T12:00:00Z", "2w": "2026-11-07T12:00:00Z", "36h": "2026-11-20T00:00:00Z", "90m": "2026-11-21T10:30:00Z", "0d": "2026-11-21T12:00:00Z",
		"2026-11-20": "2026-11-20T00:00:00Z", "2026-11-20T09:30:00+02:00": "2026-11-20T07:30:00Z",
		"": "", "yesterday": "", "-5h": "", "-1d": "", "1.5d": "", "d": "", "7": "", "2026-13-01": "", "99999999d": "", "99999999999999999999d": "", "9000000h": "",
	} {
		at, ok := parseSince(text, now)
		got := ""
		if ok {
			got = at.UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("--since %q: %q, want %q", text, got, want)
		}
	}
}

func TestFiguresOfATuningAreShort(t *testing.T) {
	t.Parallel()
	for f, want := range map[float64]string{0: "0", 15: "15", 2376.5: "2,376.5", 2385.79: "2,385.8", 999.96: "1,000"} {
		if got := decimal(f); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
	if got := spark([]float64{0, 0.5, -1, 1}, false); got != "▁▅ █" {
		t.Errorf("spark %q", got)
	}
	if got := spark([]float64{0, 0.5, -1, 1}, true); got != "_= #" {
		t.Errorf("spark %q", got)
	}
}
