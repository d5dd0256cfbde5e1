package condense

import (
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// An Unpinned is a pin that was taken away, and the channel that it was in.
type Unpinned struct {
	schema.Pin
	Channel string
}

// Unpin stages that the condensations of decisions, named by their ids, are pinned
// nowhere any more; by is who says so. The condensations stay; so do pins that can't
// be read, which is a fault.
func Unpin(tx *fs.Tx, decisions []string, by string, at time.Time) (gone []Unpinned, faults []Fault, err error) {
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
	change := records.Change{What: records.Removed, At: schema.FormatTime(at), By: by}
	return changePins(tx, change, map[string]any{"status": records.Removed}, func(p schema.Pin) bool { return retired[pinName(p.Condensation)] })
}

// changePins stages a change of the pins of all channels that match, and returns them
// as they were.
func changePins(tx *fs.Tx, c records.Change, set map[string]any, match func(schema.Pin) bool) (changed []Unpinned, faults []Fault, err error) {
	for _, home := range homes {
		channels, err := PinnedChannels(tx, home)
		if err != nil {
			return nil, nil, err
		}
		for _, channel := range channels {
			file := home + "/" + fs.ChannelsDir + "/" + channel + "/pins.json"
			b, err := readBoard(tx, file)
			if err != nil {
				if fs.Unread(err) {
					return nil, nil, err
				}
				faults = append(faults, Fault{Name: file, Err: err})
				continue
			}
			matching := slices.DeleteFunc(slices.Clone(b.pins), func(p boardPin) bool { return !match(p.Pin) })
			if len(matching) == 0 {
				continue
			}
			if err := b.addFormer(tx); err != nil {
				return nil, nil, err
			}
			told := map[string]bool{}
			for _, p := range matching {
				if err := b.change(tx, p, c, set); err != nil {
					return nil, nil, err
				}
				if name := pinName(p.Condensation); !told[name] {
					told[name] = true
					changed = append(changed, Unpinned{p.Pin, channel})
				}
			}
			if err := renderPins(tx, file); err != nil {
				return nil, nil, err
			}
		}
	}
	return changed, faults, nil
}
