package refresh

import (
	"context"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/schema"
)

// Load loads an artifact by id or path.
func (t *Tree) Load(ctx context.Context, id string) (artifact.Loaded, Outcome, error) {
	panic("not built")
}

// Unload takes artifacts out of the window.
func (t *Tree) Unload(ctx context.Context, ids ...string) (Outcome, error) { panic("not built") }

// UnloadStale unloads what nobody used lately and returns the ids.
func (t *Tree) UnloadStale(ctx context.Context) ([]string, Outcome, error) { panic("not built") }

// Preload loads what work in the current layer will need and returns the ids.
func (t *Tree) Preload(ctx context.Context) ([]string, Outcome, error) { panic("not built") }

// View is what an agent is given at a load layer, 1 to 3. It changes nothing.
func View(ctx context.Context, tree *fs.Tree, layer int, now time.Time) (artifact.View, error) {
	panic("not built")
}

// Say adds messages to the live conversation: each without an id or a time
// gets one, secrets are masked, tokens are counted. It returns them as stored;
// a message whose id is there already with the same content is left out.
func (t *Tree) Say(ctx context.Context, messages []schema.Message) ([]schema.Message, Outcome, error) {
	panic("not built")
}

// A Compaction is what Compact is asked for.
type Compaction struct {
	Strategy string // session-summary, psd, adaptive; "" is what the policy says
	Budget   int    // tokens that the conversation may cost afterwards; 0: by the strategy
	Now      bool   // also where the window is not full enough for it
}

// A Compacted is what a compaction did, or would do.
type Compacted struct {
	compact.Plan
	ID      string // of the compaction, for Uncompact; "" where nothing was done
	Summary string // name of the file that the summary went to
	Cold    string // name of the file that holds what left the conversation
}

// Compact compacts the live conversation in one transaction.
func (t *Tree) Compact(ctx context.Context, c Compaction) (Compacted, Outcome, error) {
	panic("not built")
}

// Uncompact takes back the latest compaction of the live conversation: what
// stood there stands there again, byte for byte, and what was said since
// follows. It returns the compaction's id and how many messages came back.
func (t *Tree) Uncompact(ctx context.Context) (id string, messages int, out Outcome, err error) {
	panic("not built")
}

// Ask adds an open question and returns it as recorded.
func (t *Tree) Ask(ctx context.Context, q schema.Question) (schema.Question, Outcome, error) {
	panic("not built")
}

// Answer closes an open question: it leaves the State with its answer recorded
// as a clarification, and no action is blocked by it any more.
func (t *Tree) Answer(ctx context.Context, id, answer, by string) (schema.Clarification, Outcome, error) {
	panic("not built")
}

// AddAction adds a pending action and returns it as recorded.
func (t *Tree) AddAction(ctx context.Context, a schema.Action) (schema.Action, Outcome, error) {
	panic("not built")
}

// FinishAction takes a pending action off the list; what it blocked is free. A
// blocked one is refused unless force is set.
func (t *Tree) FinishAction(ctx context.Context, id string, force bool) (schema.Action, Outcome, error) {
	panic("not built")
}

// Remember adds an entry to agents' notes and returns the note's name. A
// boss_decision is also recorded in the Ledger.
func (t *Tree) Remember(ctx context.Context, e memory.Entry) (name string, out Outcome, err error) {
	panic("not built")
}

// An Unavailable is a command whose availability does not hold just now.
type Unavailable struct {
	Command      string
	Availability string // such as when_clarity_below_90
	Why          string // the State's value that it depends on, for people
}

func (e *Unavailable) Error() string {
	return e.Command + " is not available: " + e.Availability + ", and " + e.Why
}

// Available says whether a command that the catalogue lists may be given now:
// nil, or an *Unavailable. One that it does not list is available.
func Available(r fs.Reader, command string) error { panic("not built") }

// A Backtracked is where a backtrack led.
type Backtracked struct {
	From, To int
	Snapshot string // what the State was restored from; "" where the layer had none
}

// Backtrack goes back to the previous layer.
func (t *Tree) Backtrack(ctx context.Context) (Backtracked, Outcome, error) { panic("not built") }

// StartSession begins a session; an unfinished one is ended first.
func (t *Tree) StartSession(ctx context.Context) (id string, out Outcome, err error) {
	panic("not built")
}

// EndSession ends the session and begins the next one.
func (t *Tree) EndSession(ctx context.Context) (Outcome, error) { panic("not built") }

// Idea returns the artifact of the current idea with its content, or an
// *artifact.Unknown.
func Idea(r fs.Reader, now time.Time) (artifact.Loaded, error) { panic("not built") }

// UpdateIdea gives the current idea's file the text new, provided it still
// holds old, and recounts its artifact.
func (t *Tree) UpdateIdea(ctx context.Context, old, new []byte) (Outcome, error) {
	panic("not built")
}
