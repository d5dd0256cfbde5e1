package assemble

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// A hot is the hot context as text.
type hot struct {
	title       string
	constraints section
	decisions   section
	rest        section
	lines       []lines // of all, by what they are
}

// Lines are items of the hot context, one a line.
type lines struct {
	name string
	date string // of the newest
	text []byte
	n    int
}

// add adds an item: what it is and its id, what is known about it, and what it
// says.
func (l *lines) add(what, text string, about ...string) {
	said := slices.DeleteFunc(about, func(s string) bool { return s == "" })
	l.text = append(append(l.text, "- "...), what...)
	if len(said) > 0 {
		if what != "" {
			l.text = append(l.text, ' ')
		}
		l.text = append(append(append(l.text, '('), strings.Join(said, ", ")...), ')')
	}
	if what != "" || len(said) > 0 {
		l.text = append(l.text, ": "...)
	}
	l.text = append(append(l.text, inline(text)...), '\n')
	l.n++
}

// who is who said something, and when.
func (l *lines) who(agent, timestamp string) string {
	date := dateOf(timestamp)
	l.date = max(l.date, date)
	return strings.TrimSpace(label(agent) + " " + date)
}

// section is the lines of several kinds under one heading.
func (h *hot) section(name, title string, in Input, of ...lines) section {
	s := section{Part: Part{Name: name}}
	date, text := "", ""
	for _, l := range of {
		h.lines = append(h.lines, l)
		text += string(l.text)
		date = max(date, l.date)
		s.Items += l.n
	}
	if s.Items > 0 {
		s.text = heading(title, label(in.Files.Hot), cmp.Or(date, dateOf(in.Hot.SessionStarted))) + text
	}
	return s
}

func hotOf(in Input) hot {
	var h hot
	h.title = "# Context\n"
	if in.Session != "" {
		h.title = "# Context of " + label(in.Session) + "\n"
	}
	h.constraints = h.section(Constraints, "Constraints", in, constraintLines(in))
	h.decisions = h.section(Decisions, "Decisions", in, decisionLines(in, in.Hot.KeyDecisions))
	h.rest = h.section(Hot, "Now", in, goalLines(in.Hot), fileLines(in.Hot), actionLines(in.Hot), questionLines(in.Hot), noteLines(in.Hot), entityLines(in.Hot))
	return h
}

// fixed is the text that is never cut.
func (h *hot) fixed() string {
	return h.title + h.constraints.text + h.decisions.text + h.rest.text
}

// addDecided puts the newest of in.Decided, as many as there is room for, before
// the decisions of the hot context, and takes them off in.Recalled. need is what
// the fixed text costs; the result is what it costs then.
func (h *hot) addDecided(in *Input, need int, o Options) int {
	room := min(o.MaxTokens-need, gatesOf(o.MaxTokens).scaled(2000))
	from := len(in.Decided)
	for ; from > 0; from-- {
		l := decisionLines(*in, in.Decided[from-1:from])
		if room -= o.Count(string(l.text)); room < 0 {
			break
		}
	}
	own := h.decisions
	for ; from < len(in.Decided); from++ { // all of it may cost more than its lines, and has a heading
		more := decisionLines(*in, in.Decided[from:])
		shown := *in
		if shown.Files.Hot = in.Files.Decided; own.Items > 0 {
			shown.Files.Hot += ", " + in.Files.Hot
		}
		h.decisions = h.section(Decisions, "Decisions", shown, more, decisionLines(*in, in.Hot.KeyDecisions))
		if now := o.Count(h.fixed()); now <= o.MaxTokens {
			need = now
			break
		}
		h.decisions = own
	}
	h.decisions.Left = from
	in.Recalled = slices.DeleteFunc(slices.Clone(in.Recalled), func(r Recalled) bool {
		return slices.ContainsFunc(in.Decided[from:], func(d schema.KeyDecision) bool { return d.ID == r.ID })
	})
	return need
}

// tooSmall says what takes how much.
func (h *hot) tooSmall(need int, o Options) error {
	e := &TooSmall{Need: need, Have: o.MaxTokens}
	for _, l := range h.lines {
		if l.n > 0 {
			e.Parts = append(e.Parts, Part{Name: l.name, Tokens: o.Count(string(l.text)), Items: l.n})
		}
	}
	return e
}

func constraintLines(in Input) lines {
	l := lines{name: Constraints}
	for _, c := range in.Hot.ImportantConstraints {
		l.add(label(c.ID), c.Constraint, l.who(c.Agent, c.Created))
	}
	return l
}

func decisionLines(in Input, of []schema.KeyDecision) lines {
	l := lines{name: Decisions}
	for _, d := range of {
		superseded := ""
		if in.Held != nil && !in.Held(d.ID) {
			superseded = "superseded"
		}
		text := d.Decision
		if d.Rationale != "" {
			text += " — because " + d.Rationale
		}
		l.add(label(d.ID), text, superseded, l.who(d.Agent, d.Timestamp))
	}
	return l
}

func goalLines(h schema.HotContext) lines {
	l := lines{name: "goals"}
	for _, g := range h.ActiveGoals {
		l.add(named("goal", g.ID), g.Goal, label(g.Status), label(g.Priority), prefixed("part of ", g.ParentGoalID), l.who(g.Agent, g.Created))
	}
	return l
}

func fileLines(h schema.HotContext) lines {
	l := lines{name: "files"}
	f := h.CurrentFileContext
	if f == nil || len(f.Files) == 0 && f.LastEdited == "" && f.CurrentFunction == "" {
		return l
	}
	l.add("files", strings.Join(f.Files, ", "),
		prefixed("last edited ", f.LastEdited), prefixed("in ", f.CurrentFunction), l.who(f.Agent, f.Updated))
	return l
}

func actionLines(h schema.HotContext) lines {
	l := lines{name: "actions"}
	for _, a := range h.PendingActions {
		detected := "" // nobody asked for it but a message
		if a.Origin == schema.OriginDetected {
			detected = "detected in " + label(a.Message)
		}
		l.add(named("action", a.ID), a.Action, label(a.Priority), detected, prefixed("for ", a.AssignedTo),
			prefixed("blocked by ", strings.Join(a.BlockedBy, " ")), prefixed("due ", a.Due), l.who(a.CreatedBy, a.Created))
	}
	return l
}

func questionLines(h schema.HotContext) lines {
	l := lines{name: "questions"}
	for _, q := range h.OpenQuestions {
		text := q.Question
		if q.Context != "" {
			text += " — " + q.Context
		}
		l.add(named("question", q.ID), text, label(q.Priority), l.who(q.AskedBy, q.AskedAt))
	}
	return l
}

func noteLines(h schema.HotContext) lines {
	l := lines{name: "notes"}
	for _, n := range h.Notes {
		l.add(named("note", n.ID), n.Note, l.who(n.Agent, n.Created))
	}
	return l
}

func entityLines(h schema.HotContext) lines {
	l := lines{name: "entities"}
	for _, kind := range slices.Sorted(maps.Keys(h.KeyEntities)) {
		if names := h.KeyEntities[kind]; len(names) > 0 {
			l.add(label(kind), strings.Join(names, ", "))
		}
	}
	return l
}

func named(what, id string) string { return strings.TrimSpace(what + " " + label(id)) }

func prefixed(what, text string) string {
	if text == "" {
		return ""
	}
	return what + label(text)
}
