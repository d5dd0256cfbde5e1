package engine

import (
	"bytes"
	"errors"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/git"
)

// A discussionStage holds what others did in threads and channels, and which condensations they wrote,
// since this working copy looked last.
type discussionStage struct {
	discussions acted.Discussions
	looked      acted.Discussions // as the file has it
	discussed   []string          // Names of files of discussions and condensations that changed, whether or not they are there
	condensed   []Condensed       // what this round condensed because somebody asked for it
}

// openDiscussions finds what changed in threads and channels. While git is in the middle of something
// nothing did: what it writes may be gone again. A watcher looks at all of them now and then.
func (r *round) openDiscussions() {
	r.looked = acted.ReadDiscussions(r.tx)
	r.discussions = r.looked
	if git.Find(r.tree.Root()).Busy() != "" {
		return
	}
	if r.event.Idle {
		r.discussions.Stood = nil
	}
	for _, name := range r.discussions.Changed(r.tree.Tree) {
		r.discussed = append(r.discussed, name+".json", name+".jsonl", name+".md")
	}
}

// readDiscussions makes records of what others wrote into the views of threads and pins. What git brought
// there has its record where it comes from, or counts without one.
func (r *round) readDiscussions() error {
	if len(r.discussed) == 0 || !r.config.Records() {
		return nil
	}
	views := slices.DeleteFunc(slices.Clone(r.discussed), func(name string) bool {
		var more bool
		err := r.tx.Try(func(*fs.Tx) error { more = condense.Unrecorded(r.tx, name); return nil })
		return err == nil && !more
	})
	held, err := r.committed(views)
	if err != nil {
		r.lookLater(views...)
		return nil
	}
	for _, name := range views {
		err := r.tryFor(func() error {
			if src, err := r.tx.Read(name); err != nil || bytes.Equal(src, held[name]) {
				return err
			}
			return condense.MakeRecords(r.tx, []string{name}, r.editor, r.at)
		})
		if err := r.leave(err, name); err != nil {
			return err
		}
	}
	return nil
}

// leave goes on without discussions that cannot be read, which is told. One that somebody just writes
// is looked at again, by a watcher soon.
func (r *round) leave(err error, names ...string) error {
	switch {
	case err == nil:
	case !errors.Is(err, fs.ErrUnsettled):
		r.tell(err.Error())
	case len(r.event.Heard) > 0:
		return err
	default:
		r.lookLater(names...)
	}
	return nil
}

// lookLater has the next command look at discussions again.
func (r *round) lookLater(names ...string) {
	for _, name := range names {
		r.discussions.Forget(name)
	}
}

// closeDiscussions notes how the discussions stood, what they came to, and what was asked in them and is
// done: durably if something was.
func (r *round) closeDiscussions() error {
	r.noteConcluded()
	r.noteHere()
	if !r.discussions.Differs(r.looked) {
		return nil
	}
	durably := len(r.discussions.Done) != len(r.looked.Done) || !r.writes()
	return r.discussions.Write(r.tx, r.home, durably)
}
