package condense

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// A pin is a record in channels/<channel>/pins/. The document pins.json beside that
// folder is a view of the newest. A former tree has the document only: its pins get
// their records when one of them changes.

// MaxPins is the largest number of condensations that a channel shows as pinned.
const MaxPins = 50

// A Pinned is the result of pinning a condensation.
type Pinned struct {
	Unpinned []schema.Pin // the oldest ones, for which there is no more room
	Astray   []schema.Pin // those that are shown and lead nowhere
}

// pinsFile is the Name of the view of a channel's pins below home.
func pinsFile(home, channel string) string {
	return home + "/" + fs.ChannelsDir + "/" + ChannelID(channel) + "/pins.json"
}

// Pins returns what is pinned in a channel, newest last.
func Pins(r fs.Reader, home, channel string) ([]schema.Pin, error) {
	b, err := readBoard(r, pinsFile(home, channel))
	return b.shown(), err
}

// PinnedChannels returns the folders of the channels below home that have pins.
func PinnedChannels(r fs.Reader, home string) (channels []string, err error) {
	for name, err := range r.Names(home + "/" + fs.ChannelsDir) {
		if err != nil {
			return nil, fmt.Errorf("list the channels: %w", err)
		}
		if file := boardFile(name); file != "" {
			channels = append(channels, path.Base(path.Dir(file)))
		}
	}
	slices.Sort(channels)
	return slices.Compact(channels), nil
}

// boardFile returns the Name of the view of the pins that the file name belongs to;
// "" for none.
func boardFile(name string) string {
	switch dir := path.Dir(name); fs.Place(name) {
	case fs.DocPins:
		return name
	case fs.DocPin, fs.DocChange:
		if file := dir + ".json"; fs.Place(file) == fs.DocPins {
			return file
		}
	}
	return ""
}

// A board is what is pinned in a channel.
type board struct {
	file   string     // the Name of its view
	pins   []boardPin // in force, in order of time; of one condensation there may be several
	facts  int        // records, also of pins that were removed
	broken bool       // the view can't be read
}

// A boardPin is a pin in force.
type boardPin struct {
	schema.Pin
	record *records.Record // nil where only the view has the pin
	at     time.Time       // of the pin, or where a view does not say it of the one before
}

// shown returns the newest pins, the newest last. Of two pins of one condensation it
// has the older.
func (b board) shown() (pins []schema.Pin) {
	pinned := map[string]bool{}
	for _, p := range b.pins {
		if name := pinName(p.Condensation); !pinned[name] {
			pinned[name] = true
			pins = append(pins, p.Pin)
		}
	}
	return pins[max(0, len(pins)-MaxPins):]
}

func (b board) folder() records.Folder {
	return records.Folder{Dir: folderOf(b.file), Kind: records.Pin}
}

// readBoard returns the pins whose view is file: those that have a record, and those
// that only the view has. A view that can't be read is an error where no pin has a
// record.
func readBoard(r fs.Reader, file string) (board, error) {
	b := board{file: file}
	all, faults := b.folder().List(r)
	for _, f := range faults {
		return b, fmt.Errorf("%s: %w", f.Name, f.Err)
	}
	var inForce []boardPin
	known := map[string]bool{}
	b.facts = len(all)
	for _, record := range all {
		var p schema.Pin
		if err := record.Decode(&p); err != nil {
			return b, err
		}
		p.ID = record.ID
		known[p.ID] = true
		if record.InForce() {
			inForce = append(inForce, boardPin{p, &record, momentOf(p.PinnedAt)})
		}
	}
	slices.SortStableFunc(inForce, func(p, q boardPin) int { return cmp.Compare(p.Condensation, q.Condensation) })
	views, err := readPins(r, file)
	if err != nil && len(all) == 0 {
		return b, err
	}
	b.broken = err != nil && !errors.Is(err, ErrUnmerged)
	var last time.Time
	for _, p := range views {
		if at := momentOf(p.PinnedAt); !at.IsZero() {
			last = at
		}
		p.ID = cmp.Or(p.ID, pinID(p))
		if !known[p.ID] {
			known[p.ID] = true
			b.pins = append(b.pins, boardPin{p, nil, last})
		}
	}
	b.pins = append(b.pins, inForce...)
	slices.SortStableFunc(b.pins, func(p, q boardPin) int { return p.at.Compare(q.at) })
	return b, nil
}

// readPins returns the pins that the view file has; of a merge that left both sides
// in it, those of both, where the pins have records as well.
func readPins(r fs.Reader, file string) (pins []schema.Pin, err error) {
	src, err := readOr(r, file, nil)
	if err != nil || src == nil {
		return nil, err
	}
	sides := viewSides(r, file)
	if len(sides) > 1 {
		err = fmt.Errorf("%s: %w", file, ErrUnmerged)
	}
	for _, side := range sides {
		if records.IsRendering(side) {
			continue
		}
		var view schema.Pins
		if err := jsonedit.Decode(side, &view); err != nil {
			return nil, fmt.Errorf("%s: %w", file, merged(src, err))
		}
		pins = append(pins, view.Pins...)
	}
	return pins, err
}

// pinID returns the id of a pin, which derives from all that it says: what two clones
// pin are two pins.
func pinID(p schema.Pin) string {
	return schema.DerivedID(records.Pin.Prefix, []byte(pinName(p.Condensation)+"\n"+p.PinnedBy+"\n"+p.PinnedAt))
}

// Pin stages that the condensation, named by its file, is pinned in a channel. Of
// more than MaxPins the oldest are shown no more. What is pinned already stays as it
// is.
func Pin(tx *fs.Tx, home, channel, condensation, by string, at time.Time) (done Pinned, err error) {
	file := pinsFile(home, channel)
	b, err := readBoard(tx, file)
	if err != nil {
		return done, err
	}
	before := b.shown()
	if !slices.ContainsFunc(b.pins, func(p boardPin) bool { return pinName(p.Condensation) == pinName(condensation) }) {
		pin := schema.Pin{Condensation: path.Base(condensation), PinnedBy: by, PinnedAt: schema.FormatTime(at)}
		pin.ID = pinID(pin)
		if err := b.addFormer(tx); err != nil {
			return done, err
		}
		if err := b.add(tx, pin); err != nil {
			return done, err
		}
	}
	if err := renderPins(tx, file); err != nil {
		return done, err
	}
	if b, err = readBoard(tx, file); err != nil {
		return done, err
	}
	after := b.shown()
	for _, p := range before {
		if !slices.Contains(after, p) {
			done.Unpinned = append(done.Unpinned, p)
		}
	}
	done.Astray, err = astray(tx, after)
	return done, err
}

// add stages the record of a pin. One that was removed under that id is in force
// again.
func (b board) add(tx *fs.Tx, p schema.Pin) error {
	record, err := b.folder().Get(tx, p.ID)
	if errors.Is(err, iofs.ErrNotExist) {
		_, err = b.folder().Add(tx, p.ID, p)
		return err
	}
	if err != nil {
		return err
	}
	_, err = record.Change(tx, records.Change{What: updated, At: p.PinnedAt, By: p.PinnedBy}, map[string]any{"status": nil})
	return err
}

// addFormer stages the records of the pins that have none. Two clones that do so write
// the same bytes.
func (b board) addFormer(tx *fs.Tx) error {
	for _, p := range b.pins {
		if p.record != nil {
			continue
		}
		if _, err := b.folder().Add(tx, p.ID, p.Pin); err != nil {
			return err
		}
	}
	return nil
}

// change stages a change of a pin, which has a record.
func (b board) change(tx *fs.Tx, p boardPin, c records.Change, set map[string]any) error {
	record, err := b.folder().Get(tx, p.ID)
	if err != nil {
		return err
	}
	_, err = record.Change(tx, c, set)
	return err
}

// renderPins stages the view of a channel's pins, where all have records. Members that
// forgemind does not know, and the layout, stay. A view that can't be read stays as
// it is; one whose records are on another branch goes.
func renderPins(tx *fs.Tx, file string) error {
	b, err := readBoard(tx, file)
	if err != nil || b.broken || slices.ContainsFunc(b.pins, func(p boardPin) bool { return p.record == nil }) {
		return err
	}
	if b.facts == 0 {
		return removeRendering(tx, file)
	}
	src, err := baseOfView(tx, file)
	if err != nil || src == nil && !isMissing(tx, file) {
		return err
	}
	if src == nil {
		src = fmt.Appendf(nil, "{\n  \"channel\": %q,\n  \"pins\": []\n}\n", path.Base(path.Dir(file)))
	}
	if src, err = setPins(src, b.shown()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return writeView(tx, file, src)
}

// setPins returns a view that shows those pins. Elements that stand there already
// keep their bytes; each new one is laid out like them, or has a line of its own.
func setPins(src []byte, pins []schema.Pin) ([]byte, error) {
	there := map[string][]byte{} // by id
	var order []string
	src, err := jsonedit.Filter(src, "/pins", func(doc *jsonedit.Doc, n int) bool {
		var p schema.Pin
		if jsonedit.Decode(doc.Raw(n), &p) != nil {
			return false
		}
		id := cmp.Or(p.ID, pinID(p))
		p.ID = id
		if there[id] != nil || !slices.Contains(pins, p) {
			return false
		}
		there[id] = doc.Raw(n)
		order = append(order, id)
		return true
	})
	if err != nil {
		return nil, err
	}
	var values [][]byte
	for _, p := range pins {
		value := there[p.ID]
		if value == nil {
			if value, err = pinText(p); err != nil {
				return nil, err
			}
		}
		values = append(values, value)
	}
	ids := make([]string, len(pins))
	for i, p := range pins {
		ids[i] = p.ID
	}
	if old := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return there[id] == nil }); len(old) == 0 || !slices.Equal(old, order) {
		return splicePins(src, values)
	}
	for i, id := range ids {
		if there[id] == nil {
			if src, err = jsonedit.Insert(src, fmt.Sprintf("/pins/%d", i), values[i]); err != nil {
				return nil, err
			}
		}
	}
	return src, nil
}

// pinText returns a pin as JSON on one line.
func pinText(p schema.Pin) ([]byte, error) {
	src := []byte(`{"id": ""}`)
	for _, m := range []struct{ name, value string }{
		{"id", p.ID}, {"condensation", p.Condensation}, {"pinned_by", p.PinnedBy}, {"pinned_at", p.PinnedAt},
	} {
		if m.value == "" {
			continue
		}
		value, err := jsonedit.Value(m.value)
		if err == nil {
			src, err = jsonedit.Set(src, "/"+m.name, value)
		}
		if err != nil {
			return nil, err
		}
	}
	return src, nil
}

// splicePins returns a view with those elements, each on a line of its own.
func splicePins(src []byte, values [][]byte) ([]byte, error) {
	if _, err := jsonedit.Set(src, "/pins", []byte("[]")); err != nil {
		return nil, err // a duplicate member
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	list := doc.Member(0, "pins")
	if list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return nil, errPins
	}
	text := "[]"
	if len(values) > 0 {
		text = "[\n    " + string(bytes.Join(values, []byte(",\n    "))) + "\n  ]"
	}
	return slices.Concat(src[:doc.Nodes[list].Start], []byte(text), src[doc.Nodes[list].End:]), nil
}

var errPins = errors.New("no pins")

// astray are those of the pins that lead to no condensation.
func astray(r fs.Reader, pins []schema.Pin) (lost []schema.Pin, err error) {
	there := map[string]bool{}
	for _, home := range homes {
		for name, err := range r.Names(path.Join(home, fs.CondensationsDir)) {
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
	if err != nil && !strings.Contains(err.Error(), name) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return src, err
}
