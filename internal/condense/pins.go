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

// A pin is a record in channels/<channel>/pins/. The document pins.json beside that folder is a
// view of the newest pins. A former tree has only the document, and its pins get records when one
// of them changes.

// MaxPins is the largest number of pinned condensations that a channel shows.
const MaxPins = 50

// A Pinned is the result of pinning a condensation.
type Pinned struct {
	Unpinned []schema.Pin // oldest pins, which are no longer shown
	Astray   []schema.Pin // shown pins whose condensation does not exist
}

// pinsFile returns the name of the view of a channel's pins below home.
func pinsFile(home, channel string) string {
	return home + "/" + fs.ChannelsDir + "/" + ChannelID(channel) + "/pins.json"
}

// Pins returns the pins of a channel, newest last.
func Pins(r fs.Reader, home, channel string) ([]schema.Pin, error) {
	b, err := readBoard(r, pinsFile(home, channel))
	return b.shown(), err
}

// WasPinned reports whether a condensation is pinned in a channel, or was.
func WasPinned(r fs.Reader, condensation string) bool {
	for _, home := range homes {
		channels, err := PinnedChannels(r, home)
		if err != nil {
			return true
		}
		for _, channel := range channels {
			b := board{file: pinsFile(home, channel)}
			all, _ := b.folder().List(r)
			named := func(p records.Record) bool { return pinName(p.Members.Text("condensation")) == pinName(condensation) }
			if slices.ContainsFunc(all, named) {
				return true
			}
			shown, _ := Pins(r, home, channel)
			if slices.ContainsFunc(shown, func(p schema.Pin) bool { return pinName(p.Condensation) == pinName(condensation) }) {
				return true
			}
		}
	}
	return false
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

// boardFile returns the name of the view of pins to which the file name belongs, or "".
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

// A board holds the pins of a channel.
type board struct {
	file   string     // name of its view
	pins   []boardPin // pins in force, sorted by time; a condensation can have several
	facts  int        // number of records, including removed pins
	broken bool       // the view cannot be read
}

// A boardPin is a pin in force.
type boardPin struct {
	schema.Pin
	record *records.Record // nil if only the view has the pin
	at     time.Time       // time of the pin, or of the one before if a view lacks it
}

// shown returns the newest pins, newest last. If two pins have the same condensation, it returns
// the older one.
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

// readBoard returns the pins of the view file: those with a record, and those that only the view
// has. An unreadable view is an error if no pin has a record.
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

// readPins returns the pins in the view file. If a merge left conflict markers and the pins have
// records, it returns the pins of both sides.
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

// pinID returns the id of a pin, which is derived from all its members. So the pins of two clones
// differ.
func pinID(p schema.Pin) string {
	return schema.DerivedID(records.Pin.Prefix, []byte(pinName(p.Condensation)+"\n"+p.PinnedBy+"\n"+p.PinnedAt))
}

// Pin stages a pin of a condensation, named by its file, in a channel. If there are more than
// MaxPins, the oldest are no longer shown. A pinned condensation is not pinned again.
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

// add stages the record of a pin. A removed pin with the same id is restored.
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

// addFormer stages records for the pins that have none. Two clones write the same bytes.
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

// change stages a change of a pin with a record.
func (b board) change(tx *fs.Tx, p boardPin, c records.Change, set map[string]any) error {
	record, err := b.folder().Get(tx, p.ID)
	if err != nil {
		return err
	}
	_, err = record.Change(tx, c, set)
	return err
}

// renderPins stages the view of a channel's pins if all have records. It keeps unknown members and
// the layout. It does not change an unreadable view, and removes one whose records are on another
// branch.
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

// setPins returns a view with those pins. Existing elements keep their bytes. A new one gets their
// layout or a line of its own.
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

// splicePins returns a view with those elements, one on each line.
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

// astray returns the pins whose condensation does not exist.
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

// pinName returns the condensation of a pin for comparisons. A pin can name it by its path, by its
// file, or by its file without .md.
func pinName(condensation string) string {
	return strings.TrimSuffix(path.Base(condensation), ".md")
}

// readOr reads name. If it is missing, it returns otherwise.
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
