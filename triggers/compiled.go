package triggers

import "sync"

// compiled keeps the conditions that were compiled last: a tree has few, and its
// configuration is loaded with each transaction.
var compiled conditions

// conditions is a cache of compiled conditions. Several goroutines may use it.
type conditions struct {
	mu    sync.Mutex
	known map[string]*Condition // by source
}

// maxCompiled limits the conditions in a cache. A full one is emptied.
const maxCompiled = 4 * MaxTriggers

// of returns the condition of a source, as Compile does.
func (c *conditions) of(source string) (*Condition, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if condition := c.known[source]; condition != nil {
		return condition, nil
	}
	condition, err := Compile(source)
	if err != nil {
		return nil, err
	}
	if c.known == nil || len(c.known) >= maxCompiled {
		c.known = map[string]*Condition{}
	}
	c.known[source] = condition
	return condition, nil
}
