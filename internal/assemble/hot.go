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
	lines       []lines // of all items, by kind

	deadEnds, governs, stale, notInGit section
}

// lines holds items of the hot context, one on each line.
type lines struct {
	name string
	date string // of the newest item
	text []byte
	n    int
}

// add adds an item: its kind and id, its details, and its text.
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

// who returns the author and the time of a message.
func (l *lines) who(agent, timestamp string) string {
	date := dateOf(timestamp)
	l.date = max(l.date, date)
	return strings.TrimSpace(label(agent) + " " + date)
}

// section returns the lines of several kinds under one heading.
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
	h.rest = h.section(Hot, "Now", in, goalLines(in.Hot), fileLines(in.Hot), artifactLines(in.Loaded), actionLines(in.Hot), questionLines(in.Hot), noteLines(in.Hot), entityLines(in.Hot))
	return h
}

// fixed returns the text that is never cut.
func (h *hot) fixed() string {
	return h.title + h.constraints.text + h.decisions.text + h.deadEnds.text + h.governs.text + h.rest.text + h.stale.text + h.notInGit.text
}

// addDecided adds the newest of in.Decided, as many as have room, before the decisions of the
// hot context, and removes them from in.Recalled. need is the number of tokens of the fixed
// text; the result is its number afterwards.
func (h *hot) addDecided(in *Input, need int, o Options) int {
	room := min(o.MaxTokens-need, o.MaxTokens/4)
	from := len(in.Decided)
	for ; from > 0; from-- {
		l := decisionLines(*in, in.Decided[from-1:from])
		if room -= o.Count(string(l.text)); room < 0 {
			break
		}
	}
	own := h.decisions
	for ; from < len(in.Decided); from++ { // the whole may cost more than its lines, and has a heading
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

// addLists adds the lists, of each as many lines as fit into its share of the budget. need is
// the number of tokens of the fixed text; the result is its number afterwards.
func (h *hot) addLists(in Input, need int, o Options) int {
	for _, l := range []struct {
		List
		name  string
		share int // divisor of the budget
		into  *section
	}{
		{in.DeadEnds, DeadEnds, 16, &h.deadEnds}, {in.Governs, Governs, 16, &h.governs},
		{in.Stale, Stale, 32, &h.stale}, {in.NotInGit, NotInGit, 32, &h.notInGit},
	} {
		total := max(len(l.Lines), l.Total)
		room := min(o.MaxTokens/l.share, o.MaxTokens-need) - o.Count(heading(l.Title))
		n := 0
		for ; n < len(l.Lines); n++ {
			if room -= o.Count(l.Lines[n]); room < 0 {
				break
			}
		}
		*l.into = section{Part: Part{Name: l.name, Left: total}}
		for ; n > 0; n-- { // the whole may cost more than its lines
			*l.into = section{Part{Name: l.name, Items: n, Left: total - n}, heading(l.Title) + strings.Join(l.Lines[:n], "")}
			if now := o.Count(h.fixed()); now <= o.MaxTokens {
				need = now
				break
			}
			*l.into = section{Part: Part{Name: l.name, Left: total}}
		}
	}
	return need
}

// tooSmall lists the parts that do not fit, with their sizes.
func (h *hot) tooSmall(need int, o Options) error {
	e := &TooSmallError{Need: need, Have: o.MaxTokens}
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
		if in.Rejected != nil {
			text += rejectedText(in.Rejected(d.ID))
		}
		l.add(label(d.ID), text, superseded, l.who(d.Agent, d.Timestamp))
	}
	return l
}

// rejectedText returns the alternatives that a decision rejected, as the end of its line.
func rejectedText(alternatives []string) string {
	const most, longest = 3, 80 // characters of each
	var b strings.Builder
	for i, a := range alternatives[:min(len(alternatives), most)] {
		if runes := []rune(a); len(runes) > longest {
			a = string(runes[:longest-1]) + "…"
		}
		if i == 0 {
			b.WriteString("; rejected: ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(a)
	}
	return b.String()
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

func artifactLines(loaded []schema.Artifact) lines {
	l := lines{name: "artifacts"}
	for _, a := range loaded {
		l.add(named("artifact", a.ID), cmp.Or(a.Path, a.Name, a.ID), "loaded")
	}
	return l
}

func actionLines(h schema.HotContext) lines {
	l := lines{name: "actions"}
	for _, a := range h.PendingActions {
		detected := "" // it was only detected in a message
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
		l.add(named("question", q.ID), text, label(q.Priority), prefixed("blocks ", strings.Join(q.Blocking, " ")), l.who(q.AskedBy, q.AskedAt))
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
