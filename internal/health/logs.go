package health

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"path"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// Logs are the lines of the tree's logs, including rotated files, sorted by time. Lines
// of the same time keep their order, those of .forgemind/ first.
type Logs struct {
	Compactions []schema.LogCompaction
	Curations   []schema.LogCuration
	Drops       []schema.LogDrop
	Recoveries  []schema.LogRecovery
	Health      []schema.LogHealth
	Faults      []LogFault // skipped lines and files; the first 100 of many lines
}

// A LogFault is an invalid line of a log, or a log that cannot be read.
type LogFault struct {
	Name string
	Line int // 1-based; 0 means the whole file
	Msg  string
}

// maxLogRead is the number of bytes that are read from the end of one log file. Files
// of forgemind are never larger.
const maxLogRead = 64 << 20

// maxLogSize is the maximum size of a log, in bytes, whose end is read: the lines
// before the end must be counted.
const maxLogSize = 512 << 20

// maxLogFaults is the number of lines that are reported individually.
const maxLogFaults = 100

// ReadLogs reads the logs of both folders from the time since on; the zero time means
// all lines. Missing logs are empty. Files and lines that cannot be read are faults and
// do not affect others. The error is that of a folder that cannot be listed.
func ReadLogs(r fs.Reader, since time.Time) (Logs, error) {
	var l Logs
	in := &intake{reader: r, since: since}
	var err error
	if l.Compactions, err = readLog(in, fs.CompactionLog, func(l *schema.LogCompaction) string { return l.Timestamp }); err != nil {
		return l, err
	}
	if l.Curations, err = readLog(in, fs.CurationLog, func(l *schema.LogCuration) string { return l.Timestamp }); err != nil {
		return l, err
	}
	if l.Drops, err = readLog(in, fs.DropLog, func(l *schema.LogDrop) string { return l.Timestamp }); err != nil {
		return l, err
	}
	if l.Recoveries, err = readLog(in, fs.RecoveryLog, func(l *schema.LogRecovery) string { return l.Timestamp }); err != nil {
		return l, err
	}
	if l.Health, err = readLog(in, fs.HealthLog, func(l *schema.LogHealth) string { return l.Timestamp }); err != nil {
		return l, err
	}
	if in.more > 0 {
		in.faults[maxLogFaults-1].Msg += fmt.Sprintf("; and %d more", in.more)
	}
	l.Faults = in.faults
	return l, nil
}

// ReadDrops reads the log of drops; see ReadLogs.
func ReadDrops(r fs.Reader, since time.Time) ([]schema.LogDrop, []LogFault, error) {
	in := &intake{reader: r, since: since}
	drops, err := readLog(in, fs.DropLog, func(l *schema.LogDrop) string { return l.Timestamp })
	return drops, in.faults, err
}

// An intake is the state of reading logs.
type intake struct {
	reader fs.Reader
	since  time.Time
	faults []LogFault
	more   int // the number of faults that are not reported
}

func (in *intake) fault(name string, line int, format string, args ...any) {
	if len(in.faults) == maxLogFaults {
		in.more++
		return
	}
	in.faults = append(in.faults, LogFault{name, line, text.Limit(fmt.Sprintf(format, args...), 300)})
}

// readLog reads one log of both folders. timeOf returns the time of a line.
func readLog[T any](in *intake, log string, timeOf func(*T) string) ([]T, error) {
	var lines []T
	var times []time.Time
	sorted := true
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		names, err := logFiles(in.reader, folder+"/"+log)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			in.each(name, func(number int, text []byte) {
				var line T
				if d, ok := any(&line).(*schema.LogDrop); ok {
					d.RelevanceScore = NoScore // replaced if the line has a score
				}
				if err := jsonedit.Decode(text, &line); err != nil {
					in.fault(name, number, "no line of this log: %v", err)
					return
				}
				at, err := schema.ParseTime(timeOf(&line))
				if err != nil {
					in.fault(name, number, "timestamp: %v", err)
					return
				}
				if at.Before(in.since) {
					return
				}
				sorted = sorted && (len(times) == 0 || !at.Before(times[len(times)-1]))
				lines, times = append(lines, line), append(times, at)
			})
		}
	}
	if !sorted {
		lines = inOrder(lines, times)
	}
	return lines, nil
}

// inOrder returns lines sorted by times.
func inOrder[T any](lines []T, times []time.Time) []T {
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return times[a].Compare(times[b]) })
	out := make([]T, len(lines))
	for i, at := range order {
		out[i] = lines[at]
	}
	return out
}

// logFiles returns the files of the log at name: rotated ones, oldest first, then the
// current one.
func logFiles(r fs.Reader, name string) ([]string, error) {
	names, err := rotatedLogs(r, name)
	return append(names, name), err
}

// rotatedLogs returns the rotated files of the log at name, oldest first.
func rotatedLogs(r fs.Reader, name string) ([]string, error) {
	var names []string
	for other, err := range r.Names(path.Dir(name)) {
		if err != nil {
			return nil, err
		}
		if log, _, ok := fs.Rotated(other); ok && log == name {
			names = append(names, other)
		}
	}
	slices.Sort(names) // by time
	return names, nil
}

// each calls do for each line of a log that is not blank.
func (in *intake) each(name string, do func(number int, text []byte)) {
	src, skipped, err := logText(in.reader, name)
	switch {
	case errors.Is(err, iofs.ErrNotExist):
		return
	case err != nil:
		in.fault(name, 0, "%v", err)
		return
	case skipped > 0:
		in.fault(name, 0, "of this log only the last %d MiB are read; %d lines are not", maxLogRead>>20, skipped)
	}
	for line := range jsonedit.Lines(src) {
		do(skipped+line.Number, line.Text)
	}
}

// logText returns the part of a log that is read, and the number of lines before it.
func logText(r fs.Reader, name string) (src []byte, skipped int, err error) {
	tree, disk := r.(*fs.Tree)
	if !disk {
		if src, err = r.Read(name); err != nil || len(src) <= maxLogRead {
			return src, 0, err
		}
		at := endOfLines(src, len(src)-maxLogRead)
		return src[at:], bytes.Count(src[:at], []byte("\n")), nil
	}
	is, err := tree.Look(name)
	if err != nil {
		return nil, 0, err
	}
	if is.Size() <= maxLogRead {
		src, err = tree.Read(name)
		return src, 0, err
	}
	if is.Size() > maxLogSize {
		return nil, 0, fmt.Errorf("it has %d MiB, and a log that has more than %d is not read", is.Size()>>20, maxLogSize>>20)
	}
	file, err := tree.Stream(name)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	buf := make([]byte, 1<<20)
	for passed := int64(0); passed < is.Size()-maxLogRead; {
		n, err := io.ReadFull(file, buf[:min(int64(len(buf)), is.Size()-maxLogRead-passed)])
		if err != nil {
			return nil, 0, fmt.Errorf("read %s: %w", name, err)
		}
		passed += int64(n)
		skipped += bytes.Count(buf[:n], []byte("\n"))
	}
	if src, err = io.ReadAll(io.LimitReader(file, maxLogRead)); err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", name, err)
	}
	return src[endOfLines(src, 0):], skipped + 1, nil
}

// endOfLines returns the offset of the first complete line at or after from.
func endOfLines(src []byte, from int) int {
	if i := bytes.IndexByte(src[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(src)
}
