package fs

import (
	"path"
	"strings"
	"time"
)

// rotatedTime is the time format at the beginning of a rotated log's name. Such names
// sort by time and are valid on every system.
const rotatedTime = "2006-01-02T15-04-05.000Z"

// RotatedLog returns the name for the full log name, in the same directory, such as
// 2026-11-21T10-45-00.000Z-drops.jsonl.
func RotatedLog(name string, at time.Time) string {
	return path.Join(path.Dir(name), at.UTC().Format(rotatedTime)+"-"+path.Base(name))
}

// Rotated returns the log that the file name was rotated from, and the time of the
// rotation. It returns false if name is not a rotated log.
func Rotated(name string) (log string, at time.Time, ok bool) {
	dir, base := path.Split(name)
	if len(base) <= len(rotatedTime) {
		return "", time.Time{}, false
	}
	at, err := time.Parse(rotatedTime, base[:len(rotatedTime)])
	log, dash := strings.CutPrefix(base[len(rotatedTime):], "-")
	if err != nil || !dash || Place(dir+log) == NoDoc {
		return "", time.Time{}, false
	}
	return dir + log, at, true
}
