package hook

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// look implements piece.
func (h *hooks) look(src []byte) (State, string) {
	s, err := readSettings(src)
	if err != nil {
		return unread(err)
	}
	here, missing := h.ours(s), []string{}
	for _, e := range h.events {
		if !slices.ContainsFunc(here, func(f found) bool { return f.event.name == e.name }) {
			missing = append(missing, e.name)
		}
	}
	gone := slices.IndexFunc(here, func(f found) bool { return !h.program.there(f.program) })
	switch {
	case len(here) == 0:
		return Absent, ""
	case gone >= 0:
		return Broken, notFound(here[gone].program)
	case len(missing) > 0:
		return Partly, "without " + strings.Join(missing, ", ")
	}
	if old := h.outdated(s); old != "" {
		return Other, old
	}
	if off := s.switchedOff(); off != "" {
		return Installed, off
	}
	return Installed, unreadBy(h.strict, s)
}

// outdated is the first hook of ours that is not as this version writes it; "" if
// there is none.
func (h *hooks) outdated(s *settings) string {
	for _, f := range h.ours(s) {
		want, err := jsonedit.Value(h.entry(f.event, f.command))
		if err == nil && f.event.name != "" && !f.old {
			set, err := jsonedit.Set(s.plain, s.doc.Pointer(f.group), want)
			if err == nil && len(set) == len(s.plain) && &set[0] == &s.plain[0] { // it was equal already
				continue
			}
		}
		return s.fault(int(s.doc.Nodes[f.group].Start), "", "").position() + "the hook for " + f.list + " is not as this version writes it"
	}
	return ""
}

// unreadBy warns of what an agent does not read, though we do.
func unreadBy(agent string, s *settings) string {
	offset, what := s.odd()
	if agent == "" || offset < 0 {
		return ""
	}
	f := s.fault(offset, what, "")
	return f.position() + "there is " + what + ", and " + agent + " may pass over a file that is not plain JSON"
}

// switchedOff says which setting keeps hooks from running; "" if there is none.
func (s *settings) switchedOff() string {
	for _, off := range []struct {
		pointer string
		kind    jsonedit.Kind
	}{{"/disableAllHooks", jsonedit.True}, {"/hooksConfig/enabled", jsonedit.False}} {
		if i := s.doc.Find(off.pointer); i >= 0 && s.doc.Nodes[i].Kind == off.kind {
			f := s.fault(int(s.doc.Nodes[i].Start), "", "")
			return f.position() + off.pointer[1:] + " is " + string(s.doc.Raw(i)) + ": no hook runs"
		}
	}
	return ""
}
