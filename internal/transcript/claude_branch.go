package transcript

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A claudeLink is what a line says of its place in the conversation: each follows its
// parent. Where the user rewinds, what is said next follows an earlier line, and what
// followed that before was taken back.
type claudeLink struct {
	Type      string `json:"type"`
	UUID      string `json:"uuid"`
	Parent    string `json:"parentUuid"`
	Compacted string `json:"logicalParentUuid"` // the parent of a line that begins a window
	Session   string `json:"sessionId"`
	Leaf      string `json:"leafUuid"` // of last-prompt: where the conversation is
	Rewound   bool   `json:"rewound"`  // and the user took it back to there
	Sidechain bool   `json:"isSidechain"`
	Meta      bool   `json:"isMeta"`
	Summary   bool   `json:"isCompactSummary"`
	Message   *struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// claudeLinks reads the place of each line; a line that stands there again has none.
func (rd *reader) claudeLinks() []claudeLink {
	links := make([]claudeLink, len(rd.records))
	seen := map[string]bool{"": true}
	for i, r := range rd.records {
		if jsonedit.Decode(r.raw, &links[i]) != nil {
			links[i] = claudeLink{}
		}
		if seen[links[i].UUID] {
			links[i].UUID = ""
		}
		seen[links[i].UUID] = true
	}
	return links
}

// said reports whether a line is the user's or the agent's turn.
func (l *claudeLink) said() bool {
	return l.Message != nil && (l.Type == "user" || l.Type == "assistant")
}

// prompt is what the user says in a line; "" for none.
func (l *claudeLink) prompt() string {
	if l.Message == nil || l.Type != "user" || l.Meta || l.Summary {
		return ""
	}
	typed, _ := Typed("claude-code", textOf(l.Message.Content))
	return typed
}

// isSide reports whether all that is said stands in a subagent's line: the transcript is
// its own.
func isSide(links []claudeLink) bool {
	return !slices.ContainsFunc(links, func(l claudeLink) bool { return l.said() && !l.Sidechain })
}

// claudeBack notes the lines that the user took back, and those before the part that the
// user went back to. Beside the conversation may stand what is no turn, such as the results
// of tools that were called at once: it stays. Where a parent is missing, the conversation
// goes on with the line before.
func (rd *reader) claudeBack(links []claudeLink, side bool) {
	back, short := takenBack(links, side)
	before := slices.IndexFunc(rd.records, func(r record) bool { return r.offset >= rd.from })
	rd.short = short && before > 0
	rd.again = map[int]bool{}
	var was []bool
	if before > 0 && !short {
		was, _ = takenBack(links[:before], side)
	}
	for i, r := range rd.records {
		if back[i] {
			rd.takeBack(rd.records[i : i+1])
		} else if i < len(was) && was[i] {
			rd.again[r.offset] = true
		}
	}
}

// takenBack returns for each line whether the user took it back, and whether what stands
// before the lines may tell otherwise.
func takenBack(links []claudeLink, side bool) (back []bool, short bool) {
	b := claudeBranch{links: links, side: side, parent: make([]int, len(links)), active: make([]bool, len(links)), forks: map[string]bool{}}
	b.connect()
	b.follow(b.tip())
	return b.back(), b.short
}

// A claudeBranch is the conversation as it is now, among the lines.
type claudeBranch struct {
	links  []claudeLink
	side   bool
	parent []int           // the index of each line's parent; -1 for none that is known
	active []bool          // the lines of the conversation
	forks  map[string]bool // lines that it goes on from: what else follows them was taken back; "" is the beginning
	begin  int             // the first line of the conversation; -1 for none
	short  bool            // what stands before the lines may tell otherwise
}

// linked reports whether a line has a place in the conversation.
func (b *claudeBranch) linked(i int) bool {
	return b.links[i].UUID != "" && b.links[i].Sidechain == b.side
}

// connect finds the parents. Each stands before its child: so none is its own.
func (b *claudeBranch) connect() {
	at := map[string]int{}
	for i, l := range b.links {
		b.parent[i] = -1
		if !b.linked(i) {
			continue
		}
		if j, ok := at[cmp.Or(l.Parent, l.Compacted)]; ok {
			b.parent[i] = j
		}
		at[l.UUID] = i
	}
}

// tip returns the last line of the conversation, and the last-prompt that says so; -1 for
// none. What was said after the last-prompt, or follows what it names, is later.
func (b *claudeBranch) tip() (tip, state int) {
	state, tip = -1, -1
	for i, l := range b.links {
		if l.Type == "last-prompt" && (l.Leaf != "" || l.Rewound) {
			state = i
		} else if b.linked(i) && l.said() {
			tip = i
		}
	}
	if state < 0 || tip > state {
		return tip, state
	}
	leaf := -1
	for i := range state {
		if b.linked(i) && b.links[i].UUID == b.links[state].Leaf {
			leaf = i
		}
	}
	if b.links[state].Rewound {
		b.short = leaf < 0 && b.links[state].Leaf != ""
		return leaf, state
	}
	if leaf < 0 {
		return tip, -1
	}
	last := leaf
	follows := map[int]bool{leaf: true}
	for i := leaf + 1; i < state; i++ {
		if follows[b.parent[i]] {
			follows[i] = true
			if b.links[i].said() {
				last = i
			}
		}
	}
	return last, state
}

// follow marks the conversation, from its last line to its beginning.
func (b *claudeBranch) follow(tip, state int) {
	b.begin = -1
	rewound := state >= 0 && b.links[state].Rewound
	if rewound && (b.links[state].Leaf != "" || tip < state) {
		b.forks[b.links[state].Leaf] = true
	}
	whole := true // the chain of parents is
	for i := tip; i >= 0; {
		b.active[i], b.begin = true, i
		if before := cmp.Or(b.links[i].Parent, b.links[i].Compacted); before != "" {
			b.forks[before] = true
		}
		if b.parent[i] >= 0 {
			i = b.parent[i]
			continue
		}
		if b.first(i) && whole && state >= 0 && !rewound && b.links[i].prompt() != "" {
			b.forks[""] = true // another first prompt was taken back
		}
		whole = false
		j := i - 1
		for ; j >= 0 && (b.active[j] || !b.linked(j) || !b.links[j].said()); j-- {
			if b.links[j].Rewound && b.links[j].Leaf == "" {
				b.forks[""] = b.forks[""] || b.first(i)
			}
		}
		if b.forks[""] {
			return
		}
		b.short = b.short || b.cut(i) && b.turnBefore(j)
		i = j
	}
}

// turnBefore reports whether the chain of parents of line i holds some of a turn, and
// begins before what is read.
func (b *claudeBranch) turnBefore(i int) bool {
	parts := turnParts(0)
	for i >= 0 {
		if parts |= b.links[i].part(); b.parent[i] < 0 {
			return parts != 0 && b.cut(i)
		}
		i = b.parent[i]
	}
	return false
}

// first reports whether nothing stands before a line.
func (b *claudeBranch) first(i int) bool {
	return b.links[i].Parent == "" && b.links[i].Compacted == ""
}

// back returns what was taken back: what follows a line of the conversation beside it,
// and holds a turn.
func (b *claudeBranch) back() []bool {
	root := make([]int, len(b.links)) // the first line of what each line stands in
	turns := map[int]turnParts{}
	for i := range b.links {
		root[i] = -1
		if !b.linked(i) || b.active[i] {
			continue
		}
		root[i] = i
		if p := b.parent[i]; p >= 0 && root[p] >= 0 {
			root[i] = root[p]
		}
		turns[root[i]] |= b.links[i].part()
	}
	back := make([]bool, len(b.links))
	before := false // whether the last line that has a place was taken back
	for i, l := range b.links {
		switch {
		case root[i] >= 0:
			back[i] = b.beside(root[i], turns[root[i]])
		case l.Type == "queue-operation":
			back[i] = before
		}
		if b.linked(i) {
			before = back[i]
		}
	}
	return back
}

// cut reports whether what a line follows is not there.
func (b *claudeBranch) cut(i int) bool { return b.parent[i] < 0 && !b.first(i) }

// beside reports whether what begins with line i, and holds these parts, is a turn beside
// the conversation. Nothing stands before a first line, and before lines whose parents
// nobody wrote down: there it must have been answered.
func (b *claudeBranch) beside(i int, parts turnParts) bool {
	if !b.first(i) {
		return parts.turn() && b.forks[cmp.Or(b.links[i].Parent, b.links[i].Compacted)]
	}
	return parts.turn() && parts&replied != 0 && b.forks[""] && (b.begin < 0 || b.links[i].Session == b.links[b.begin].Session)
}

// turnParts are what of a turn some lines hold.
type turnParts int

const (
	asked turnParts = 1 << iota
	commanded
	replied
)

// turn reports whether they hold a turn: what a client's own command leaves is none.
func (t turnParts) turn() bool { return t&asked != 0 || t&commanded != 0 && t&replied != 0 }

func (l *claudeLink) part() turnParts {
	prompt := l.prompt()
	switch {
	case l.Type == "assistant" && l.Message != nil:
		return replied
	case prompt == "":
		return 0
	case strings.HasPrefix(prompt, "<"):
		return commanded
	}
	return asked
}
