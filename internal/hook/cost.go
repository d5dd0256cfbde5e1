package hook

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
)

// A Cost says how many tokens hooks told the agent of one session.
type Cost struct {
	Session string `json:"id"`
	Tokens  int    `json:"tokens"`
	Times   int    `json:"times"`
	spent
}

// spent holds of a Cost what a memory keeps.
type spent struct {
	Agent string    `json:"agent,omitzero"`
	Last  string    `json:"last,omitzero"` // when something was told last
	By    []Expense `json:"by,omitzero"`   // kinds of events
}

// An Expense holds how much was told at the events of one kind.
type Expense struct {
	At     string `json:"at"` // "session start", "prompt", …
	Tokens int    `json:"tokens"`
	Times  int    `json:"times"`
}

// CostCounter is the name of the counter of a Cost's tokens.
const CostCounter = tokens.Default

// tells returns what notes that the agent is told a text; nil for none.
func (r *running) tells() func(*memory) {
	r.mu.Lock()
	text, told := r.text, len(r.answer) > 0
	r.mu.Unlock()
	counter, err := tokens.New(CostCounter)
	if !told || err != nil {
		r.fail(err)
		return nil
	}
	return func(m *memory) {
		i := slices.IndexFunc(m.Spent.By, func(e Expense) bool { return e.At == string(r.at) })
		if i < 0 {
			i, m.Spent.By = len(m.Spent.By), append(m.Spent.By, Expense{At: string(r.at)})
		}
		m.Spent.By[i].Tokens += counter.Count(text)
		m.Spent.By[i].Times++
		m.Spent.Agent, m.Spent.Last = r.call.Agent, schema.FormatTime(r.call.Edge.Now())
	}
}

// Costs returns what hooks told in the sessions of a tree that they remember, the latest
// first. state is the folder in which hooks keep their key.
func Costs(tree *fs.Tree, state string) ([]Cost, error) {
	key, err := keyIn(state)
	if err != nil || key == nil {
		return nil, err
	}
	k := memories{tree, key}
	stamps, err := k.slots()
	var all []Cost
	for _, s := range stamps {
		m, ok, err := k.read(s.Name)
		if err != nil {
			return nil, err
		}
		if !ok || len(m.Spent.By) == 0 {
			continue
		}
		c := Cost{Session: m.Session, spent: m.Spent}
		for _, e := range c.By {
			c.Tokens, c.Times = c.Tokens+e.Tokens, c.Times+e.Times
		}
		slices.SortStableFunc(c.By, func(a, b Expense) int { return b.Tokens - a.Tokens })
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b Cost) int { return strings.Compare(b.Last, a.Last) })
	return all, err
}

// slots returns the files of what is remembered of sessions, the latest first.
func (k memories) slots() ([]fs.Stamp, error) {
	stamps, _, err := k.tree.Stamps(fs.LocalName(folderOf(k.tree)))
	stamps = slices.DeleteFunc(stamps, func(s fs.Stamp) bool { return !strings.HasPrefix(path.Base(s.Name), slotPrefix) })
	slices.SortFunc(stamps, func(a, b fs.Stamp) int { return cmp.Compare(b.Written, a.Written) })
	return stamps, err
}
