package query

import (
	"context"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/engine"
)

// Layer renders a load layer, 1 to 3: the role, the position and the records in force of a
// Selection, then artifacts, then history. It writes nothing but derived indexes. The error
// is state.ErrNoState if the tree has no State.
func Layer(ctx context.Context, tree *fs.Tree, layer int, now time.Time) (artifact.View, error) {
	s, err := Select(ctx, tree, Need{})
	if err != nil {
		return artifact.View{}, err
	}
	return engine.View(ctx, tree, layer, artifact.Sources{
		Decisions: s.Standing.All(), Standing: s.Standing, Goals: s.Goals(), Constraints: s.Constraints(), Notes: s.Hot.Notes,
		Actions: append(s.HandedOver(), s.Actions()...), Questions: s.Questions(),
	}, now)
}
