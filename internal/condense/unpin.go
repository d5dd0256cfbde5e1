package condense

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// An Unpinned is a pin that was taken away, and the channel that it was in.
type Unpinned struct {
	schema.Pin
	Channel string
}

// Unpin stages that the condensations of decisions, named by their ids, are
// pinned nowhere any more. The condensations stay; so do pins in a file that
// can't be read as pins, which is a fault.
func Unpin(tx *fs.Tx, decisions []string) (gone []Unpinned, faults []Fault, err error) {
	all, _, err := Condensations(tx)
	if err != nil {
		return nil, nil, err
	}
	retired := map[string]bool{}
	for _, f := range all {
		if f.DecisionID != "" && slices.Contains(decisions, f.DecisionID) {
			retired[pinName(f.File)] = true
		}
	}
	if len(retired) == 0 {
		return nil, nil, nil
	}
	for _, home := range homes {
		for name, err := range tx.Names(home + "/channels") {
			if err != nil {
				return nil, nil, fmt.Errorf("list the channels: %w", err)
			}
			if fs.Place(name) != fs.DocPins {
				continue
			}
			src, err := tx.Read(name)
			if err == nil {
				src, gone, err = unpin(name, src, retired, gone)
			}
			switch {
			case err == nil && src != nil:
				tx.Write(name, src)
			case err == nil, errors.Is(err, iofs.ErrNotExist):
			case errors.Is(err, errPins), unfit(err):
				faults = append(faults, Fault{Name: name, Err: err})
			default:
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return gone, faults, nil
}

var errPins = errors.New("no pins")

// unpin is src, the pins of one channel, without those of retired condensations,
// which it adds to gone; nil where there are none.
func unpin(name string, src []byte, retired map[string]bool, gone []Unpinned) ([]byte, []Unpinned, error) {
	var pins schema.Pins
	if err := jsonedit.Decode(src, &pins); err != nil {
		return nil, gone, fmt.Errorf("%w: %w", errPins, err)
	}
	was := len(gone)
	for _, p := range pins.Pins {
		if retired[pinName(p.Condensation)] {
			gone = append(gone, Unpinned{p, path.Base(path.Dir(name))})
		}
	}
	src, err := jsonedit.Filter(src, "/pins", func(doc *jsonedit.Doc, p int) bool {
		condensation, _ := doc.Str(doc.Member(p, "condensation"))
		return !retired[pinName(condensation)]
	})
	if err != nil {
		return nil, gone[:was], fmt.Errorf("%w: %w", errPins, err)
	}
	if len(gone) == was {
		return nil, gone, nil
	}
	return src, gone, nil
}
