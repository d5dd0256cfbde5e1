package artifact

import (
	"errors"
	"fmt"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// An Edge holds the settings and functions that the loader gets from its caller.
type Edge struct {
	Now     time.Time // UTC
	Count   func(text string) int
	Counter string         // name of the method that Count uses
	Loader  *schema.Loader // from config.json; nil for the defaults
	Light   float64        // limit for a preload in percent of the window; 0 means 50
}

// Defaults for members that config.json does not set.
const (
	DefaultCacheBytes   = 16 << 20
	DefaultCacheEntries = 200
	DefaultThreshold    = 30 * time.Minute
)

// Sources of the bytes of a loaded artifact.
const (
	FromContext = "context" // it was loaded before
	FromCache   = "cache"   // cached and unchanged on disk
	FromDisk    = "disk"
	FromProgram = "program" // a template of the program
)

// A Loaded is an artifact with its content.
type Loaded struct {
	Artifact schema.Artifact
	Content  []byte
	From     string // context, cache, disk or program
}

// Causes that keep an artifact from being loaded, besides io/fs.ErrNotExist and the errors of
// package fs.
var (
	ErrBinary = errors.New("not a text: it holds NUL bytes or is not UTF-8")
	ErrOwn    = errors.New("not for the context window: it belongs to git, to .local or is the State itself")
)

// ErrEssential means that an artifact of load layer 1 was to be unloaded.
var ErrEssential = errors.New("load layer 1 is always in the window")

// An UnknownError reports an id or a path that belongs to no artifact.
type UnknownError struct {
	ID      string
	Nearest []string // similar ids, nearest first
	Tried   []string // paths that were tried
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("artifact %s is not known and no file of it was found", text.QuoteBytes(e.ID, maxQuoted))
}

// An UnusableError reports an artifact whose file cannot be loaded. If the State lists the
// artifact, Load also stages that it is not available. To keep that, the caller commits the
// transaction despite the error.
type UnusableError struct {
	ID   string
	Path string
	Err  error // io/fs.ErrNotExist, fs.ErrTooLarge, fs.ErrIrregular, fs.ErrName, ErrBinary, ErrOwn
}

func (e *UnusableError) Error() string {
	return fmt.Sprintf("artifact %s: %v", text.QuoteBytes(e.ID, maxQuoted), e.Err)
}

// Unwrap returns the cause.
func (e *UnusableError) Unwrap() error { return e.Err }

// maxQuoted is the number of bytes of an id that messages quote.
const maxQuoted = 120

// List returns the artifacts in the order of the State, with the current times and counts of their
// use.
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

// Find returns the artifact of an id or a path with its content. It does not load it. An artifact
// that is not in the State is described as Load would describe it. The error can be an
// *UnknownError or an *UnusableError.
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

// Idea returns the artifact of the project's current idea with its content, like Find.
func Idea(r fs.Reader, e Edge) (Loaded, error) {
	s, err := readRoster(r)
	if err != nil {
		return Loaded{}, err
	}
	if ids := s.current("idea"); len(ids) > 0 {
		return Find(r, ids[0], e)
	}
	return Loaded{}, &UnknownError{ID: "current_idea", Nearest: s.idsOf("idea")}
}
