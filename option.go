package forgemind

import (
	"context"
	"io"
	"time"

	"github.com/forgemind/forgemind/internal/engine"
)

// An Option is something of the world that a Tree takes from its program.
type Option struct{ set func(*engine.Edge) }

// WithClock lets now say what time it is; time.Now does without it. It may be
// called from several goroutines.
func WithClock(now func() time.Time) Option {
	return Option{func(e *engine.Edge) { e.Now = now }}
}

// WithRandom lets new ids come from random; crypto/rand gives them without it. It
// is read by one transaction at a time, but by several goroutines.
func WithRandom(random io.Reader) Option {
	return Option{func(e *engine.Edge) { e.Random = random }}
}

// WithSummary lets retell write the overview at the top of a session's summary;
// label says what did, such as a model's name. An empty overview, or an error,
// leaves the summary that is made by rules.
func WithSummary(retell func(ctx context.Context, summary string) (overview, label string, err error)) Option {
	return Option{func(e *engine.Edge) { e.Summarise = retell }}
}

// WithEmbeddings lets embed say what texts mean, which compacting by relevance and
// Recover then take into account: it returns a vector for each text, all of one
// length, or nil for one that has none. name says whose vectors they are, such as
// a model's name: they are kept in the tree under it, and no text is given twice.
// Where embed fails, full text alone decides.
func WithEmbeddings(name string, embed func(ctx context.Context, texts []string) ([][]float32, error)) Option {
	return Option{func(e *engine.Edge) {
		e.Embed = func() (engine.Embedder, error) { return engine.Embedder{Name: name, Embed: embed}, nil }
	}}
}
