package forgemind

import (
	"context"
	"io"
	"time"

	"github.com/forgemind/forgemind/internal/engine"
)

// An Option is a function or value that a Tree gets from its program.
type Option struct{ set func(*engine.Edge) }

// WithClock sets the function that returns the present time; the default is time.Now. It may
// be called from several goroutines.
func WithClock(now func() time.Time) Option {
	return Option{func(e *engine.Edge) { e.Now = now }}
}

// WithRandom sets the source of random bytes for new ids; the default is crypto/rand. It is
// read by one transaction at a time, but by several goroutines.
func WithRandom(random io.Reader) Option {
	return Option{func(e *engine.Edge) { e.Random = random }}
}

// WithSummary sets the function that writes the overview at the top of a session's summary;
// label names its source, such as a model. If it returns an empty overview or an error, the
// summary made by rules stays.
func WithSummary(retell func(ctx context.Context, summary string) (overview, label string, err error)) Option {
	return Option{func(e *engine.Edge) { e.Summarise = retell }}
}

// WithEmbeddings sets a function that computes vectors of texts, which compaction by
// relevance and Recover use. It returns a vector for each text, all of one length, or nil for
// a text without one. name identifies the vectors, for example by the name of a model: they
// are stored in the tree under it, so that no text is passed twice. If embed fails, only full
// text is used.
func WithEmbeddings(name string, embed func(ctx context.Context, texts []string) ([][]float32, error)) Option {
	return Option{func(e *engine.Edge) {
		e.Embed = func() (engine.Embedder, error) { return engine.Embedder{Name: name, Embed: embed}, nil }
	}}
}
