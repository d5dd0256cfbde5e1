package engine

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// rate sets the importance of a message, its reason, and the decision that the message
// states. It does not record that decision: a command does.
func (r *WorkingSet) rate(m *schema.Message) {
	notes := map[string]any{}
	if m.Importance == nil {
		ratio, reasons := extract.Importance(*m, bosses(r.config), phrases(r.config))
		m.Importance = &ratio
		notes["importance_reasons"] = reasons
	}
	stated := extract.Statements(*m, bosses(r.config), phrases(r.config))
	if d, ok := extract.StatementOf(stated, extract.ClassDecision); ok {
		notes["detected"] = session.Detected{Decision: d.Text, Rationale: d.Rationale, Confidence: d.Confidence}
	}
	for _, name := range []string{"importance_reasons", "detected"} {
		value, ok := notes[name]
		if !ok {
			continue
		}
		if len(m.Metadata) == 0 {
			m.Metadata = []byte("{}")
		}
		text, err := jsonedit.Value(value)
		if err == nil {
			if with, err := jsonedit.Set(m.Metadata, "/"+name, text); err == nil {
				m.Metadata = with
			}
		}
	}
}

// isBoss reports whether agent is one of bosses, ignoring case.
func isBoss(bosses []string, agent string) bool {
	return slices.ContainsFunc(bosses, func(boss string) bool { return strings.EqualFold(boss, agent) })
}

// mentions hold the work that a message reports and the names in it.
type mentions struct {
	work  extract.WorkReport
	named map[string][]string
}

// mentionsOf returns the work and the names in m; nothing if m is no person's or agent's
// message.
func (r *WorkingSet) mentionsOf(m schema.Message) mentions {
	if m.Role == "tool" || m.Role == "system" || m.Kind == compact.Summary || m.Kind == compact.ToolOutput {
		return mentions{}
	}
	if m.ToolName != "" && m.Role == "assistant" {
		return r.touchesOf(m)
	}
	return mentions{extract.Work(m.Content), extract.Entities(m.Content, r.config.Entities)}
}

// touchesOf returns the files of the project that a tool call reads, and as edited
// those that it writes. It ignores the text to be written, which is not part of the
// talk.
func (r *WorkingSet) touchesOf(m schema.Message) mentions {
	var h mentions
	for _, t := range extract.Touched(m) {
		path := strings.TrimPrefix(t.Path, r.tree.Root()+"/")
		if filepath.IsAbs(path) {
			continue
		}
		if h.named == nil {
			h.named = map[string][]string{}
		}
		if !slices.Contains(h.named[extract.Files], path) {
			h.named[extract.Files] = append(h.named[extract.Files], path)
		}
		if written := t.How == extract.TouchEdited || t.How == extract.TouchWritten; written && !slices.Contains(h.work.Edited, path) {
			h.work.Edited = append(h.work.Edited, path)
		}
	}
	return h
}

// rateAll rates messages in parallel and returns what each mentions. A panic of a
// worker is raised again in the caller's goroutine, where it can be caught.
func (r *WorkingSet) rateAll(messages []schema.Message) []mentions {
	heard := make([]mentions, len(messages))
	refused := make([]bool, len(messages)) // first: it reads the following message, which rate changes
	for i := range messages {
		refused[i] = extract.CallRefused(messages[i:])
	}
	var next atomic.Int64
	var all sync.WaitGroup
	var fault atomic.Pointer[any]
	for range min(runtime.GOMAXPROCS(0), len(messages)) {
		all.Go(func() {
			defer func() {
				if f := recover(); f != nil {
					fault.Store(&f)
				}
			}()
			for i := int(next.Add(1)) - 1; i < len(messages); i = int(next.Add(1)) - 1 {
				r.rate(&messages[i])
				if !refused[i] {
					heard[i] = r.mentionsOf(messages[i])
				}
			}
		})
	}
	all.Wait()
	if f := fault.Load(); f != nil {
		panic(*f)
	}
	return heard
}

// updateHotFrom updates the hot context from a message: the files and the function that
// are worked on, the next actions, the names.
func (r *WorkingSet) updateHotFrom(id string, m schema.Message, h mentions) error {
	work, named := h.work, h.named
	if len(work.Edited) == 0 && len(work.Next) == 0 && work.Function == "" && len(named) == 0 {
		return nil
	}
	if one := named[extract.Functions]; work.Function == "" && len(work.Edited) == 1 && len(one) == 1 {
		work.Function = one[0] // the only one named with the file
	}
	if ok, err := r.hotReads(id); !ok {
		return err
	}
	at := m.Timestamp
	return r.editHot(id, func(h *session.Hot) error {
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
			if err := r.AssignID(&a.ID, records.Action); err != nil {
				return err
			}
			found = append(found, a)
		}
		if err := h.ShowDetected(found, maxDetected); err != nil {
			return err
		}
		return h.AddEntities(named)
	})
}

// maxDetected is the most pending actions that are kept because messages mention them.
const maxDetected = 10

// hotReads reports whether a session's hot context can be changed. If not, it adds a
// note; messages are recorded anyway.
func (r *WorkingSet) hotReads(id string) (bool, error) {
	name := session.HotContext(id)
	src, err := r.readIfExists(name)
	if err != nil {
		return false, err
	}
	if _, err := session.ReadHot(src); err != nil {
		note := fmt.Sprintf("%s was not updated, because it cannot be read: %v", name, err)
		if src == nil {
			note = name + " is not there, so that nothing is noted in it; 'forgemind explain session-incomplete' shows more"
		}
		r.addNote(note)
		return false, nil
	}
	return true, nil
}
