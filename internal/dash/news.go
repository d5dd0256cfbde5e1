package dash

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/forgemind/forgemind/fs"
)

// What is shown, as far as documents are told apart.
const (
	ofDecisions     = "decisions"
	ofCondensations = "condensations"
	ofThreads       = "threads"
	ofChannels      = "channels"
	ofProjects      = "projects"
	ofHandoffs      = "handoffs"
	ofSessions      = "sessions"
	ofLogs          = "logs"
	ofTriggers      = "triggers"
	ofHealth        = "health"
	ofAudit         = "audit"
)

// everything are all topics.
var everything = [...]string{ofDecisions, ofCondensations, ofThreads, ofChannels, ofProjects, ofHandoffs, ofSessions, ofLogs, ofTriggers, ofHealth, ofAudit}

// topicsOf says what has to be looked at again when the document at name is
// another one.
func topicsOf(name string) []string {
	topics := []string{ofHealth, ofTriggers, ofAudit} // these are about all of it
	_, rest, _ := strings.Cut(name, "/")
	first, _, _ := strings.Cut(rest, "/")
	switch first {
	case fs.DecisionsDir:
		topics = append(topics, ofDecisions, ofProjects, ofSessions)
	case "questions", "actions", "goals", "constraints", "notes":
		topics = append(topics, ofSessions)
	case "condensations", "channels":
		topics = append(topics, ofCondensations, ofThreads, ofChannels)
	case "threads":
		topics = append(topics, ofThreads, ofChannels)
	case "projects":
		topics = append(topics, ofProjects)
	case "handoffs":
		topics = append(topics, ofHandoffs)
	case "logs":
		return []string{ofLogs, ofHealth, ofTriggers}
	case "config.json", fs.KnobsFile:
		topics = append(topics, ofLogs)
	}
	switch doc := fs.Place(name); {
	case doc == fs.DocState, doc == fs.DocHotContext, doc == fs.DocActiveSession: // they show decisions
		topics = append(topics, ofDecisions, ofProjects, ofSessions)
	case strings.HasPrefix(name, fs.Sessions), path.Base(name) == "messages.jsonl":
		topics = append(topics, ofSessions)
	}
	return topics
}

// news is what changed since when, and who wants to know.
type news struct {
	mu        sync.Mutex
	revisions map[string]int // topic → how often it changed, from 1
	listeners map[*listener]bool
}

// A listener is told which topics changed; several changes at once are one.
type listener struct {
	wake   chan struct{}
	topics map[string]bool
}

func (n *news) begin() {
	n.listeners = map[*listener]bool{}
	n.revisions = map[string]int{}
	for _, topic := range everything {
		n.revisions[topic] = 1
	}
}

// revision is the number of the state that a topic is in.
func (n *news) revision(topic string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.revisions[topic]
}

// tell raises the revision of topics and wakes who listens.
func (n *news) tell(topics map[string]bool) {
	if len(topics) == 0 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for topic := range topics {
		n.revisions[topic]++
		for l := range n.listeners {
			l.topics[topic] = true
		}
	}
	for l := range n.listeners {
		select {
		case l.wake <- struct{}{}:
		default: // it will wake
		}
	}
}

// mostListeners is how many streams of events are served at once.
const mostListeners = 64

// listen begins to listen; false where too many do.
func (n *news) listen() (*listener, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.listeners) >= mostListeners {
		return nil, false
	}
	l := &listener{wake: make(chan struct{}, 1), topics: map[string]bool{}}
	n.listeners[l] = true
	return l, true
}

// take gives what l was told since the last time, sorted.
func (n *news) take(l *listener) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	topics := make([]string, 0, len(l.topics))
	for topic := range l.topics {
		topics = append(topics, topic)
	}
	clear(l.topics)
	slices.Sort(topics)
	return topics
}

func (n *news) forget(l *listener) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.listeners, l)
}

// A kept is what was worked out from documents, until one of them changes. Who
// asks meanwhile waits for who works it out.
type kept[T any] struct {
	mu    sync.Mutex
	at    int // the revision of its topic that it is of
	value T
}

// get gives the value for a revision, and makes it where it is of another.
// What failed is not kept.
func (k *kept[T]) get(revision func() int, make func() (T, error)) (T, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := revision() // before looking: what changes while we look is looked at again
	if k.at == now {
		return k.value, nil
	}
	value, err := make()
	if err == nil {
		k.at, k.value = now, value
	}
	return value, err
}

// of is the revision of a topic, for kept.get.
func (n *news) of(topic string) func() int { return func() int { return n.revision(topic) } }
