package artifact

import (
	"context"
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
}

// Where a loaded artifact's bytes came from.
const (
	FromContext = "context" // it was loaded already
	FromCache   = "cache"   // and is unchanged on disk
	FromDisk    = "disk"
)

// A Loaded is an artifact that was asked for.
type Loaded struct {
	Artifact schema.Artifact
	Content  []byte
	From     string // context, cache or disk
}

// An Unknown is an id or a path that leads to no artifact.
type Unknown struct {
	ID      string
	Nearest []string // ids that may have been meant, the nearest first
	Tried   []string // where its file was looked for
}

func (e *Unknown) Error() string {
	return fmt.Sprintf("artifact %q is not known and no file of it was found", e.ID)
}

// Load loads the artifact of that id or path: its content comes from the cache
// where that is unchanged on disk, else from disk, and is then cached. The
// State says loaded; its window counts the tokens. A second load touches.
func Load(tx *fs.Tx, id string, e Edge) (Loaded, error) { panic("not built") }

// Unload takes an artifact out of the window; it is cached first. One of load
// layer 1 is refused.
func Unload(tx *fs.Tx, id string, e Edge) error { panic("not built") }

// Stale returns the ids of loaded artifacts that nobody used for
// threshold_minutes, those of load layer 1 left out.
func Stale(r fs.Reader, e Edge) ([]string, error) { panic("not built") }

// Likely returns the ids of the artifacts that work in a layer will need,
// strategy 3 of the CMS document.
func Likely(r fs.Reader, layer int, e Edge) ([]string, error) { panic("not built") }

// LoadTemplate loads the template of a layer, an artifact of type template that
// the program holds.
func LoadTemplate(tx *fs.Tx, layer int, e Edge) error { panic("not built") }

// UnloadLayer unloads what belongs to a layer that was left; it is cached.
func UnloadLayer(tx *fs.Tx, layer int, e Edge) error { panic("not built") }

// DropStaleCache removes what is cached of files that have changed since or are
// gone, and rebuilds the index where it is missing or wrong.
func DropStaleCache(tx *fs.Tx, e Edge) error { panic("not built") }

// FlagOutdated marks artifacts that name one of these superseded decisions.
func FlagOutdated(tx *fs.Tx, superseded []string, e Edge) error { panic("not built") }

// A Part is one thing in a View.
type Part struct {
	Title  string `json:"title"`
	Layer  int    `json:"layer"`  // load layer, 1 to 3
	Text   string `json:"text"`   // markdown
	Tokens int    `json:"tokens"` // of Text
}

// A View is what an agent is given at a load layer.
type View struct {
	Layer   int    `json:"layer"`
	Tokens  int    `json:"tokens"`
	Counter string `json:"counter"`
	Parts   []Part `json:"parts"`
}

// Sources are what a View is made of besides the State and the artifacts.
type Sources struct {
	Decisions []schema.Decision // the newest last; those that are superseded are marked
	Standing  schema.Standing
	// Versions lists when an artifact's file changed, for load layer 3; nil:
	// nobody knows.
	Versions func(ctx context.Context, path string) ([]string, error)
}

// Look makes the View of a load layer, 1 to 3, strategy 1 of the CMS document.
func Look(ctx context.Context, r fs.Reader, layer int, s Sources, e Edge) (View, error) {
	panic("not built")
}

// Markdown is the View as people and agents read it.
func (v View) Markdown() string { panic("not built") }
