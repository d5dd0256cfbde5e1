package fs

import (
	"testing"
	"time"
)

func TestRotatedLogsAreKnownByTheirNames(t *testing.T) {
	at := time.Date(2026, 11, 21, 11, 45, 0, 7e6, time.FixedZone("", 3600))
	const rotated = ".forgemind/logs/context/2026-11-21T10-45-00.007Z-drops.jsonl"
	if got := RotatedLog(Forgemind+"/"+DropLog, at); got != rotated || Place(got) != DocLogDrops {
		t.Errorf("%s, %q", got, Place(got))
	}
	log, when, ok := Rotated(rotated)
	if log != Forgemind+"/"+DropLog || !when.Equal(at) || !ok {
		t.Errorf("%s, %s, %v", log, when, ok)
	}
	for _, name := range []string{
		"", "-drops.jsonl", Forgemind + "/" + DropLog,
		".forgemind/logs/context/2026-11-21T10-45-00.007Z", ".forgemind/logs/context/2026-11-21T10-45-00.007Z-",
		".forgemind/logs/context/2026-11-21T10-45-00.007Zdrops.jsonl", ".forgemind/logs/context/2026-11-31T10-45-00.007Z-drops.jsonl",
		".forgemind/logs/context/2026-11-21T10-45-00.007Z-other.jsonl", ".forgemind/logs/2026-11-21T10-45-00.007Z-drops.jsonl",
		"logs/context/2026-11-21T10-45-00.007Z-drops.jsonl",
	} {
		if log, _, ok := Rotated(name); ok {
			t.Errorf("%s is taken for a rotated %s", name, log)
		}
	}
}
