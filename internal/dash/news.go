package dash

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/forgemind/forgemind/fs"
)

// Topics of views. A change of a document affects some of them.
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

// everything lists all topics.
var everything = [...]string{ofDecisions, ofCondensations, ofThreads, ofChannels, ofProjects, ofHandoffs, ofSessions, ofLogs, ofTriggers, ofHealth, ofAudit}

// topicsOf returns the topics that a change of the document at name affects.
func topicsOf(name string) []string {
	topics := []string{ofHealth, ofTriggers, ofAudit} // these topics depend on every document
	_, rest, _ := strings.Cut(name, "/")
	first, _, _ := strings.Cut(rest, "/")
	switch first {
	case fs.DecisionsDir:
		topics = append(topics, ofDecisions, ofProjects, ofSessions)
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
	case doc == fs.DocState, doc == fs.DocHotContext, doc == fs.DocActiveSession: // these documents show decisions
		topics = append(topics, ofDecisions, ofProjects, ofSessions)
	case strings.HasPrefix(name, fs.Sessions), path.Base(name) == "messages.jsonl":
		topics = append(topics, ofSessions)
	}
	return topics
}

// A news holds the revisions of topics and the listeners to notify of changes.
type news struct {
	mu        sync.Mutex
	revisions map[string]int // topic → number of changes, from 1
	listeners map[*listener]bool
}

// A listener collects the topics that changed until it is read.
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

// revision returns the current revision of a topic.
func (n *news) revision(topic string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.revisions[topic]
}

// tell increments the revisions of topics and wakes the listeners.
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
		default: // it is awake already
		}
	}
}

// mostListeners is the largest number of streams of events at a time.
const mostListeners = 64

// listen registers a listener. It reports false if there are too many.
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

// take returns the sorted topics that changed since the last call.
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

// A kept caches a value that is computed from documents until one of them changes. Concurrent
// callers wait for one computation.
type kept[T any] struct {
	mu    sync.Mutex
	at    int // revision of its topic
	value T
}

// get returns the value for the current revision, and computes it if it is out of date. It does not
// cache an error.
func (k *kept[T]) get(revision func() int, make func() (T, error)) (T, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := revision() // read before computing, so that a change meanwhile causes another computation
	if k.at == now {
		return k.value, nil
	}
	value, err := make()
	if err == nil {
		k.at, k.value = now, value
	}
	return value, err
}

// of returns a function for kept.get that returns the revision of a topic.
func (n *news) of(topic string) func() int { return func() int { return n.revision(topic) } }
