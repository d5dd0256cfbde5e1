package audit

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"time"

	"github.com/forgemind/forgemind/schema"
)

var movedFile = Kind{
	Name:    "moved-file",
	Summary: "A file that a decision names changed after it was taken, or is gone.",
	look: func(s *survey) {
		if len(s.commits) == 0 && !s.cut {
			return
		}
		paths := map[string]bool{}
		for _, d := range s.current {
			for _, file := range d.Files {
				if file = tidy(file); file != "" {
					paths[s.fold(file)] = true
				}
			}
		}
		past := then{s.touched(paths), s.recorded(), s.carried()}
		for _, d := range s.current {
			for i, file := range d.Files {
				switch file = tidy(file); {
				case len(past.touched[s.fold(file)]) > 0:
					s.lookAtFile(d, i, file, past)
				case s.cut && file != "" && s.missing(file):
					s.add(s.decided(d.ID, fmt.Sprintf("/files/%d", i)), 45, d.ID+" "+file,
						fmt.Sprintf("%s names %s, which is not there; since when, git does not say", plain(d.ID), plainPath(file)),
						"see whether it was moved or removed, in a clone that has its history; a decision that supersedes this one names what came instead", s.decision(d.ID))
				}
			}
		}
	},
}

// Then is what history tells of files and decisions.
type then struct {
	touched  map[string][]change
	recorded map[string]int
	carried  map[string]map[int]bool
}

// Since are the changes that a decision did not know of.
type since struct {
	count  int
	newest change
	direct bool // one of them was to the file itself
}

// since looks for the changes after a decision was recorded. The commit that
// recorded it, and those that name it, carry it out.
func (s *survey) since(d schema.Decision, file string, past then) (since since) {
	taken, err := schema.ParseTime(d.Timestamp)
	from, whole := taken.Unix(), taken.Nanosecond() == 0 || s.o.Since != "" // commits have no part of a second; it was recorded before them
	if !whole {
		from++
	}
	in, committed := past.recorded[d.ID]
	if committed {
		from, err = s.commits[in].At.Unix(), nil
	} else {
		in = len(s.commits)
	}
	if err != nil {
		return since
	}
	carried := past.carried[d.ID]
	for _, c := range past.touched[s.fold(file)] {
		if c.commit >= in {
			break
		}
		if c.at < from || carried[c.commit] {
			continue
		}
		if since.count++; since.count == 1 {
			since.newest = c
		}
		since.direct = since.direct || !c.below
	}
	return since
}

// lookAtFile weighs the commits that touched a file since a decision was recorded.
func (s *survey) lookAtFile(d schema.Decision, n int, file string, past then) {
	since := s.since(d, file, past)
	if since.count == 0 {
		return
	}
	most := 60
	if !since.direct {
		most = 40 // a directory changes all the time
	}
	last := s.commits[since.newest.commit]
	about := d.ID + " " + file
	evidence := []Evidence{{File: file, Commit: last.ID, At: last.At.Format(time.RFC3339), Text: subject(last)}, s.decision(d.ID)}
	at := s.decided(d.ID, fmt.Sprintf("/files/%d", n))
	gone := since.newest.gone && s.missing(file)
	switch other := since.newest.other; {
	case gone && other != "" && !s.missing(other):
		s.add(at, 55, about, fmt.Sprintf("%s names %s, which is called %s since %s", plain(d.ID), plainPath(file), plainPath(other), day(last.At)),
			"record a decision that supersedes it and names the file as it is called now", evidence...)
	case gone:
		s.add(at, 75, about, fmt.Sprintf("%s names %s, which is gone since %s", plain(d.ID), plainPath(file), day(last.At)),
			"record a decision that supersedes it and says what holds for what came instead", evidence...)
	default:
		s.add(at, min(35+5*since.count, most), about,
			fmt.Sprintf("%s names %s, which %s changed since, the last on %s", plain(d.ID), plainPath(file), many(since.count, "commit"), day(last.At)),
			fmt.Sprintf("see whether the decision still holds; a commit that names %s is taken to carry it out", plain(d.ID)), evidence...)
	}
}

// missing says whether nothing stands at a path.
func (s *survey) missing(file string) bool {
	if look, ok := s.reader.(interface {
		Look(string) (iofs.FileInfo, error)
	}); ok {
		_, err := look.Look(file)
		return errors.Is(err, iofs.ErrNotExist)
	}
	_, err := s.reader.Read(file)
	return errors.Is(err, iofs.ErrNotExist)
}
