package audit

import (
	"path"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/schema"
)

// maxCommits is how far back history is read.
const maxCommits = 20_000

// readHistory asks git once for what happened since the oldest decision that
// names files, or to the State since it says it was written. What git cannot answer is left
// out, unless Options ask for it.
func (s *survey) readHistory() error {
	if s.o.Root == "" {
		return nil
	}
	oldest, wanted := s.o.Now, false
	back := func(stamp string) {
		if at, err := schema.ParseTime(stamp); err == nil && at.Before(oldest) {
			oldest = at
		}
		wanted = true
	}
	for _, d := range s.current {
		if len(d.Files) > 0 {
			back(d.Timestamp)
		}
	}
	if !wanted {
		return nil
	}
	span := s.span
	span.Most = maxCommits
	if s.span.Not == "" {
		span.After = oldest.Add(-24 * time.Hour) // clocks differ
	}
	var err error
	if s.commits, err = git.History(s.ctx, s.o.Root, span); err != nil {
		if s.ctx.Err() != nil || s.o.Repo || s.o.Since != "" {
			return err
		}
		s.leaveOut(changedSince, err.Error())
		s.cut = true
		return nil
	}
	if s.cut, err = git.Shallow(s.ctx, s.o.Root); s.cut {
		s.leaveOut(changedSince, "this clone is shallow, and older commits are not in it; 'git fetch --unshallow' brings them")
	}
	return err
}

// changedSince says what git's history tells.
const changedSince = "which of the files that decisions name changed, moved or went since"

// A change is what a commit did to a file that a decision names.
type change struct {
	commit int   // index into commits, the newest is 0
	at     int64 // when that was, in seconds since 1970
	gone   bool
	below  bool   // to something in it: it is a directory
	other  string // the new name of one that was renamed
}

// fold returns a path as paths are compared in the tree.
func (s *survey) fold(name string) string {
	if tree, ok := s.reader.(interface{ Fold(string) string }); ok {
		return tree.Fold(name)
	}
	return fs.NFC(name)
}

// touched gives for each of the paths, folded, of files and directories, the changes that
// commits made to it or below it, the newest first.
func (s *survey) touched(paths map[string]bool) map[string][]change {
	all := map[string][]change{}
	for i, c := range s.commits {
		for _, t := range c.Touched {
			name, gone, below, other := s.fold(t.Name), t.Gone, false, ""
			if t.Gone {
				other = t.Other
			}
			for name != "." && name != "/" && name != "" {
				if paths[name] && (t.Gone || below || t.Other == "") { // a new name alone changes nothing
					list := all[name]
					if n := len(list); n == 0 || list[n-1].commit != i { // a directory, once for a commit
						all[name] = append(list, change{i, c.At.Unix(), gone, below, other})
					}
				}
				name, gone, below = path.Dir(name), false, true // other files may be left in it
			}
		}
	}
	return all
}

// carried gives the indexes of the commits whose messages name each decision.
func (s *survey) carried() map[string]map[int]bool {
	by := map[string]map[int]bool{}
	for i, c := range s.commits {
		for id := range idsIn(c.Message) {
			if _, known := s.byID[id]; !known {
				continue
			}
			if by[id] == nil {
				by[id] = map[int]bool{}
			}
			by[id][i] = true
		}
	}
	return by
}

// recorded gives the index of the commit that brought each decision's file into the
// Ledger.
func (s *survey) recorded() map[string]int {
	in := map[string]int{}
	for i, c := range s.commits {
		for _, t := range c.Touched {
			if fs.Place(t.Name) == fs.DocDecision && !t.Gone {
				in[strings.TrimSuffix(path.Base(t.Name), ".json")] = i // the oldest stays
			}
		}
	}
	return in
}

// tidy is a path that a decision names, as git writes it; "" where it is a
// pattern, or leads out of the project.
func tidy(file string) string {
	file = path.Clean(strings.ReplaceAll(strings.TrimSpace(file), "\\", "/"))
	file = strings.TrimSuffix(strings.TrimSuffix(file, "/**"), "/*")
	if file == "." || file == ".." || strings.HasPrefix(file, "../") || strings.HasPrefix(file, "/") || strings.ContainsAny(file, "*?[\x00") {
		return ""
	}
	return file
}
