package condense

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// MaxPins is the largest number of condensations that a channel has pinned.
const MaxPins = 50

// A Pinned is the result of pinning a condensation.
type Pinned struct {
	Unpinned []schema.Pin // the oldest ones, which left to make room
	Astray   []schema.Pin // those that stay and lead nowhere
}

// pinsFile is the Name of a channel's pins below home.
func pinsFile(home, channel string) string {
	return home + "/channels/" + ChannelID(channel) + "/pins.json"
}

// Pins returns what is pinned in a channel, newest last.
func Pins(r fs.Reader, home, channel string) ([]schema.Pin, error) {
	name := pinsFile(home, channel)
	src, err := readOr(r, name, nil)
	if err != nil || src == nil {
		return nil, err
	}
	var all schema.Pins
	if err := jsonedit.Decode(src, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", name, merged(src, err))
	}
	return all.Pins, nil
}

// Pin stages that the condensation, named by its file, is pinned in a channel. Of
// more than MaxPins the oldest leave. What is pinned already stays as it is.
func Pin(tx *fs.Tx, home, channel, condensation, by string, at time.Time) (Pinned, error) {
	var done Pinned
	name := pinsFile(home, channel)
	pins, err := Pins(tx, home, channel)
	if err != nil {
		return done, err
	}
	if slices.ContainsFunc(pins, func(p schema.Pin) bool { return pinName(p.Condensation) == pinName(condensation) }) {
		done.Astray, err = astray(tx, pins)
		return done, err
	}
	pin := schema.Pin{Condensation: path.Base(condensation), PinnedBy: by, PinnedAt: schema.FormatTime(at)}
	src, err := readOr(tx, name, nil)
	if err != nil {
		return done, err
	}
	if src == nil {
		src, err = firstPin(channel, pin)
	} else {
		var value []byte
		if value, err = jsonedit.Value(pin); err == nil {
			src, err = jsonedit.Append(src, "/pins", value)
		}
	}
	pins = append(pins, pin)
	for ; err == nil && len(pins) > MaxPins; pins = pins[1:] {
		done.Unpinned = append(done.Unpinned, pins[0])
		src, err = jsonedit.Delete(src, "/pins/0")
	}
	if err != nil {
		return done, fmt.Errorf("%s: %w", name, err)
	}
	tx.Write(name, src)
	done.Astray, err = astray(tx, pins)
	return done, err
}

// firstPin is the document of a channel that had no pins. Each pin has a line of
// its own, and those that follow are laid out like it: what two branches pinned
// meets in few lines.
func firstPin(channel string, pin schema.Pin) ([]byte, error) {
	src := []byte("{\n  \"channel\": \"\",\n  \"pins\": [\n    {\"condensation\": \"\"}\n  ]\n}\n")
	for _, m := range []struct{ pointer, value string }{
		{"/channel", ChannelID(channel)}, {"/pins/0/condensation", pin.Condensation}, {"/pins/0/pinned_by", pin.PinnedBy}, {"/pins/0/pinned_at", pin.PinnedAt},
	} {
		if m.value == "" {
			continue
		}
		value, err := jsonedit.Value(m.value)
		if err == nil {
			src, err = jsonedit.Set(src, m.pointer, value)
		}
		if err != nil {
			return nil, err
		}
	}
	return src, nil
}

// astray are those of the pins that lead to no condensation.
func astray(r fs.Reader, pins []schema.Pin) (lost []schema.Pin, err error) {
	there := map[string]bool{}
	for _, home := range homes {
		for name, err := range r.Names(home + "/condensations") {
			if err != nil {
				return nil, fmt.Errorf("list the condensations: %w", err)
			}
			there[pinName(name)] = true
		}
	}
	for _, p := range pins {
		if !there[pinName(p.Condensation)] {
			lost = append(lost, p)
		}
	}
	return lost, nil
}

// pinName is how a pin's condensation is compared: named by its path, its file, or
// its file without .md.
func pinName(condensation string) string {
	return strings.TrimSuffix(path.Base(condensation), ".md")
}

// readOr reads name; where it is missing, what stands in for it.
func readOr(r fs.Reader, name string, otherwise []byte) ([]byte, error) {
	src, err := r.Read(name)
	if errors.Is(err, iofs.ErrNotExist) {
		return otherwise, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return src, nil
}
