package engine

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// A hearing is what a message tells of the work, and names.
type hearing struct {
	work  extract.WorkReport
	named map[string][]string
}

// heardIn returns what m tells; nothing where nobody speaks.
func (r *round) heardIn(m schema.Message) hearing {
	if m.Role == "tool" || m.Role == "system" || m.Kind == compact.Summary || m.Kind == compact.ToolOutput {
		return hearing{}
	}
	named := extract.Entities(m.Content, r.config.Entities)
	var beside struct {
		Files []string `json:"context_files"` // see transcript.Typed
	}
	if len(m.Metadata) > 0 && jsonedit.Decode(m.Metadata, &beside) == nil {
		for _, file := range beside.Files {
			if !slices.Contains(named[extract.Files], file) {
				named[extract.Files] = append(named[extract.Files], file)
			}
		}
	}
	return hearing{extract.Work(m.Content), named}
}

// weighAll weighs messages.
func (r *round) weighAll(messages []schema.Message) {
	onEach(len(messages), func(i int) { session.Weigh(&messages[i], r.config) })
}

// hearAll returns what each of messages tells.
func (r *round) hearAll(messages []schema.Message) []hearing {
	heard := make([]hearing, len(messages))
	onEach(len(messages), func(i int) { heard[i] = r.heardIn(messages[i]) })
	return heard
}

// onEach calls do for each number below n, on all processors. A panic is the caller's: nobody else could
// catch it.
func onEach(n int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	var fault atomic.Pointer[any]
	for range min(runtime.GOMAXPROCS(0), n) {
		all.Go(func() {
			defer func() {
				if f := recover(); f != nil {
					fault.Store(&f)
				}
			}()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
	if f := fault.Load(); f != nil {
		panic(*f)
	}
}

// follow lets the hot context follow a message: the files and the function that
// it says are worked on, what is to be done next, what it names.
func (r *round) follow(id string, m schema.Message, h hearing) error {
	work, named := h.work, h.named
	if len(work.Edited) == 0 && len(work.Next) == 0 && work.Function == "" && len(named) == 0 {
		return nil
	}
	if one := named[extract.Functions]; work.Function == "" && len(work.Edited) == 1 && len(one) == 1 {
		work.Function = one[0] // the only one that is named with the file
	}
	if ok, err := r.hotReads(id); !ok {
		return err
	}
	at := m.Timestamp
	err := r.editHot(id, func(h *session.Hot) error {
		before := h.Context()
		files := before.CurrentFileContext
		for i, path := range work.Edited {
			function := ""
			if i == len(work.Edited)-1 {
				function = work.Function
			}
			if err := h.Touch(path, function, m.Agent, at); err != nil {
				return err
			}
		}
		if len(work.Edited) == 0 && work.Function != "" && files != nil && files.LastEdited != "" && work.Function != files.CurrentFunction {
			if err := h.Touch(files.LastEdited, work.Function, m.Agent, at); err != nil {
				return err
			}
		}
		var found []schema.Action
		for _, next := range work.Next {
			a := schema.Action{Action: next, CreatedBy: m.Agent, Created: at, Origin: schema.OriginDetected, Message: m.ID}
			if h.Plans(next) {
				continue
			}
			if err := r.give(&a.ID, records.Action); err != nil {
				return err
			}
			found = append(found, a)
		}
		if err := h.ShowDetected(found, maxDetected); err != nil {
			return err
		}
		return h.AddEntities(named)
	})
	var misplaced *session.Misplaced
	if errors.As(err, &misplaced) {
		r.tell(fmt.Sprintf("%s does not note what the message is about: %v", session.HotContext(id), misplaced))
		return nil
	}
	return err
}

// maxDetected is how many pending actions that messages told of are kept in mind.
const maxDetected = 10

// hotReads says whether a session's hot context can be changed. What somebody
// broke keeps no message from being said.
func (r *round) hotReads(id string) (bool, error) {
	name := session.HotContext(id)
	src, err := r.maybe(name)
	if err != nil {
		return false, err
	}
	if err := views.Object(src); err != nil {
		note := fmt.Sprintf("%s stays as it is, for it cannot be read: %v", name, err)
		if src == nil {
			note = name + " is not there, so that nothing is noted in it; 'forgemind explain session-incomplete' tells more"
		}
		r.tell(note)
		return false, nil
	}
	return true, nil
}
