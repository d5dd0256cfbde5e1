package acted

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Discussions holds how the threads, the channels with their pins and the condensations stood when a
// working copy looked at them last, and which requests in them it has acted on. The zero Discussions is of
// one that never looked.
type Discussions struct {
	Version int               `json:"version"`
	Stood   map[string]string `json:"stood"`          // the stamps of a discussion's files, by their Name without the ending; "" if they could not be believed
	Done    []string          `json:"done,omitempty"` // ids of requests that were acted on, sorted

	// Taken holds the condensations that were taken in, by their Names.
	Taken map[string]Taken `json:"taken,omitempty"`

	// Concluded are the Names of the conversations of threads that came to a conclusion which is not condensed,
	// sorted.
	Concluded []string `json:"concluded,omitempty"`

	// Here says of threads in which something was done in this working copy, and that are not archived, when that
	// was, UTC, by the Names of their conversations.
	Here map[string]string `json:"here,omitempty"`
}

// A Taken tells as which decision a condensation was taken in, and of which day and topic it was.
type Taken struct {
	Decision string `json:"decision"`
	Date     string `json:"date,omitempty"`
	Topic    string `json:"topic,omitempty"`
}

// discussionsName returns the Name of the file of Discussions in a home.
func discussionsName(home string) string { return fs.LocalName(home, "acted", "discussions.json") }

// ReadDiscussions returns the Discussions of a working copy. A file that is torn, or of another
// version, is none.
func ReadDiscussions(r fs.Reader) Discussions {
	for _, home := range homes {
		var d Discussions
		if src, err := r.Read(discussionsName(home)); err == nil && jsonedit.Decode(src, &d) == nil && d.Version == 1 {
			return d
		}
	}
	return Discussions{}
}

// Has reports whether a request was acted on.
func (d *Discussions) Has(request string) bool {
	_, ok := slices.BinarySearch(d.Done, request)
	return ok
}

// Add adds requests that were acted on.
func (d *Discussions) Add(requests ...string) {
	d.Done = append(slices.Clone(d.Done), requests...)
	slices.Sort(d.Done)
	d.Done = slices.Compact(d.Done)
}

// Changed returns the discussions that differ from how they Stood, sorted, without those that are gone.
// It brings Stood up to date.
func (d *Discussions) Changed(tree *fs.Tree) (changed []string) {
	now := stampDiscussions(tree)
	for name, stamp := range now {
		if stamp == "" || stamp != d.Stood[name] {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	d.Stood = now
	isGone := func(name string) bool { _, ok := now[stem(name)]; return !ok }
	d.Concluded = slices.DeleteFunc(slices.Clone(d.Concluded), isGone)
	d.Taken = maps.Clone(d.Taken)
	maps.DeleteFunc(d.Taken, func(name string, _ Taken) bool { return isGone(name) })
	d.Here = maps.Clone(d.Here)
	maps.DeleteFunc(d.Here, func(name, _ string) bool { return isGone(name) })
	return changed
}

// SetTaken sets how a condensation was taken in.
func (d *Discussions) SetTaken(name string, t Taken) {
	if d.Taken[name] == t {
		return
	}
	d.Taken = maps.Clone(d.Taken)
	if d.Taken == nil {
		d.Taken = map[string]Taken{}
	}
	d.Taken[name] = t
}

// SetConcluded sets whether the thread whose conversation is talk came to a conclusion that is not
// condensed.
func (d *Discussions) SetConcluded(talk string, is bool) {
	i, known := slices.BinarySearch(d.Concluded, talk)
	switch {
	case is && !known:
		d.Concluded = slices.Insert(slices.Clone(d.Concluded), i, talk)
	case !is && known:
		d.Concluded = slices.Delete(slices.Clone(d.Concluded), i, i+1)
	}
}

// SetHere sets when something was done in this working copy in the thread whose conversation is talk; "" if that
// does not matter any more.
func (d *Discussions) SetHere(talk, at string) {
	d.Here = maps.Clone(d.Here)
	if d.Here == nil {
		d.Here = map[string]string{}
	}
	if d.Here[talk] = at; at == "" {
		delete(d.Here, talk)
	}
}

// Moved reports whether the discussion of the file called name stands otherwise than before.
func (d *Discussions) Moved(before Discussions, name string) bool {
	now := d.Stood[stem(name)]
	return now == "" || now != before.Stood[stem(name)]
}

// Forget forgets how the discussion of the file called name stood, so that it counts as changed.
func (d *Discussions) Forget(name string) {
	d.Stood = maps.Clone(d.Stood)
	delete(d.Stood, stem(name))
}

// stem returns a Name without its ending.
func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// Write stages the Discussions: durably, or as what may be lost in a crash.
func (d *Discussions) Write(tx *fs.Tx, home string, durably bool) error {
	d.Version = 1
	text, err := jsonedit.Marshal(d)
	if err != nil {
		return err
	}
	if durably {
		tx.Write(discussionsName(home), text)
	} else {
		tx.Jot(discussionsName(home), text)
	}
	return nil
}

// Differs reports whether d says something else than e.
func (d *Discussions) Differs(e Discussions) bool {
	return !maps.Equal(d.Stood, e.Stood) || !slices.Equal(d.Done, e.Done) || !slices.Equal(d.Concluded, e.Concluded) || !maps.Equal(d.Taken, e.Taken) || !maps.Equal(d.Here, e.Here)
}

// stampDiscussions returns the stamps of the discussions of a tree. What cannot be read has none.
func stampDiscussions(tree *fs.Tree) map[string]string {
	all := map[string]string{}
	for _, home := range homes {
		stampFolder(tree, home+"/"+fs.CondensationsDir, all)
		for _, kind := range []string{fs.ThreadsDir, fs.ChannelsDir} {
			channels, _ := tree.Entries(home + "/" + kind)
			for _, channel := range channels {
				if channel.Dir {
					stampFolder(tree, channel.Name, all)
				}
			}
		}
	}
	return all
}

// stampFolder adds the stamps of the discussions in the folder dir to all. Of a folder in it, whose
// files are written once, it is that of the folder.
func stampFolder(tree *fs.Tree, dir string, all map[string]string) {
	stamps, other, err := tree.StampsOfAll(dir)
	if err != nil { // a file system that others change, too
		entries, _ := tree.Entries(dir)
		for _, e := range entries {
			name := e.Name
			if e.Dir {
				name += "/"
			}
			other = append(other, name)
		}
		slices.Sort(other)
	}
	for _, name := range other {
		if fi, err := tree.Look(strings.TrimSuffix(name, "/")); err == nil {
			stamps = append(stamps, fs.Stamp{Name: name, Size: fi.Size(), Written: fi.ModTime().UnixNano()})
		}
	}
	young := map[string]bool{}
	for _, s := range stamps {
		name, folder := strings.CutSuffix(s.Name, "/")
		if !folder {
			name = stem(name)
		}
		all[name] += fmt.Sprintf("%t%x.%x.%x ", folder, s.Written, s.Changed, s.Size)
		young[name] = young[name] || !tree.Settled(s)
	}
	for name, is := range young {
		if is {
			all[name] = ""
		}
	}
}
