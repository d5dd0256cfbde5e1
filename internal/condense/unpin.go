package condense

import (
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// An Unpinned is a pin that was removed, with its channel.
type Unpinned struct {
	schema.Pin
	Channel string
}

// Unpin stages the removal of the pins of decisions' condensations, given the decisions' ids. The
// argument by names the author. The condensations are kept. Pins that cannot be read are kept and
// reported as faults.
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
	return changePins(tx, change, map[string]any{"status": records.Removed}, func(p schema.Pin, _ string) bool { return retired[pinName(p.Condensation)] })
}

// UnpinFile stages the removal of the pins of a condensation, named by its file, in a channel, or in
// all if channel is "".
func UnpinFile(tx *fs.Tx, condensation, channel string, c records.Change) (gone []Unpinned, err error) {
	c.What = records.Removed
	match := func(p schema.Pin, in string) bool {
		return pinName(p.Condensation) == pinName(condensation) && (channel == "" || in == ChannelID(channel))
	}
	gone, faults, err := changePins(tx, c, map[string]any{"status": records.Removed}, match)
	if err == nil && len(gone) == 0 && len(faults) > 0 {
		err = faults[0].Err
	}
	return gone, err
}

// changePins stages a change of all pins that match in all channels, and returns the pins before
// the change.
func changePins(tx *fs.Tx, c records.Change, set map[string]any, match func(p schema.Pin, channel string) bool) (changed []Unpinned, faults []Fault, err error) {
	for _, home := range homes {
		channels, err := PinnedChannels(tx, home)
		if err != nil {
			return nil, nil, err
		}
		for _, channel := range channels {
			file := home + "/" + fs.ChannelsDir + "/" + channel + "/pins.json"
			b, err := readBoard(tx, file)
			if err != nil {
				if fs.IsUnread(err) {
					return nil, nil, err
				}
				faults = append(faults, Fault{Name: file, Err: err})
				continue
			}
			matching := slices.DeleteFunc(slices.Clone(b.pins), func(p boardPin) bool { return !match(p.Pin, channel) })
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
