package artifact

import (
	"errors"
	"fmt"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// An Edge is what the loader needs from outside.
type Edge struct {
	Now     time.Time // UTC
	Count   func(text string) int
	Counter string         // the name of what Count counts by
	Loader  *schema.Loader // of config.json; nil: the defaults
	Light   float64        // how full of the window a preload may make it, percent; 0: 50
}

// What holds where config.json does not say.
const (
	DefaultCacheBytes   = 16 << 20
	DefaultCacheEntries = 200
	DefaultThreshold    = 30 * time.Minute
)

// Where a loaded artifact's bytes came from.
const (
	FromContext = "context" // it was loaded already
	FromCache   = "cache"   // and is unchanged on disk
	FromDisk    = "disk"
	FromProgram = "program" // a template
)

// A Loaded is an artifact that was asked for.
type Loaded struct {
	Artifact schema.Artifact
	Content  []byte
	From     string // context, cache, disk or program
}

// What keeps an artifact from being loaded, besides io/fs.ErrNotExist and what
// package fs has.
var (
	ErrBinary = errors.New("not a text: it holds NUL bytes or is not UTF-8")
	ErrOwn    = errors.New("not for the context window: it belongs to git, to .local or is the State itself")
)

// ErrEssential is an artifact of load layer 1 that was to be unloaded.
var ErrEssential = errors.New("load layer 1 is always in the window")

// An Unknown is an id or a path that leads to no artifact.
type Unknown struct {
	ID      string
	Nearest []string // ids that may have been meant, the nearest first
	Tried   []string // where its file was looked for
}

func (e *Unknown) Error() string {
	return fmt.Sprintf("artifact %s is not known and no file of it was found", quoted(e.ID))
}

// An Unusable is an artifact whose file cannot be loaded. Where the State has
// it, Load stages that it is not available: whoever wants that kept finishes the
// transaction in spite of the error.
type Unusable struct {
	ID   string
	Path string
	Err  error // io/fs.ErrNotExist, fs.ErrTooLarge, fs.ErrIrregular, fs.ErrName, ErrBinary, ErrOwn
}

func (e *Unusable) Error() string {
	return fmt.Sprintf("artifact %s: %v", quoted(e.ID), e.Err)
}

// Unwrap is the cause.
func (e *Unusable) Unwrap() error { return e.Err }

// quoted is a stranger's text, fit for a message.
func quoted(s string) string {
	const most = 120
	if len(s) > most {
		return fmt.Sprintf("%q…", s[:most])
	}
	return fmt.Sprintf("%q", s)
}

// List returns the artifacts of the State, in its order, with the times and
// counts of their use up to now.
func List(r fs.Reader) ([]schema.Artifact, error) {
	s, err := readRoster(r)
	if err != nil {
		return nil, err
	}
	touches := readTouches(r)
	for i := range s.list {
		touches.into(&s.list[i])
	}
	return s.list, nil
}

// Find returns the artifact of an id or a path with its content, without
// loading it. One that the State does not have is described as it would be
// loaded. Errors are *Unknown and *Unusable.
func Find(r fs.Reader, id string, e Edge) (Loaded, error) {
	s, err := readRoster(r)
	if err != nil {
		return Loaded{}, err
	}
	found, err := s.resolve(r, id, e.Loader)
	if err != nil {
		return Loaded{}, s.suggest(r, err, e.Loader)
	}
	return Loaded{Artifact: found.artifact, Content: found.content, From: FromDisk}, nil
}

// Idea returns the artifact of the project's current idea with its content, as
// Find does.
func Idea(r fs.Reader, e Edge) (Loaded, error) {
	s, err := readRoster(r)
	if err != nil {
		return Loaded{}, err
	}
	if ids := s.current("idea"); len(ids) > 0 {
		return Find(r, ids[0], e)
	}
	return Loaded{}, &Unknown{ID: "current_idea", Nearest: s.idsOf("idea")}
}
