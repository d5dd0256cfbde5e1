package fs

import (
	"path"
	"strings"
	"time"
)

// rotatedTime is how the name of a rotated log begins: a time that sorts and
// that every system takes for a file name.
const rotatedTime = "2006-01-02T15-04-05.000Z"

// RotatedLog is the name that the log at name gets when it is full:
// 2026-11-21T10-45-00.000Z-drops.jsonl, beside it.
func RotatedLog(name string, at time.Time) string {
	return path.Join(path.Dir(name), at.UTC().Format(rotatedTime)+"-"+path.Base(name))
}

// Rotated says which log the file at name is rotated from, and when that was;
// false where it is none.
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
