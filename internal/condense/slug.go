package condense

import (
	"cmp"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// longestChannel is how long the folder's name of a channel may be, in bytes.
const longestChannel = 80

// ChannelID is the name of a channel as its folder has it: without the "#" in
// front, in lower case, with a hyphen for each blank, as chat programs do it. What
// no folder can be called (a slash, an emoji, nothing at all) leaves for a part
// that comes from the whole name, so that two channels never share a folder.
func ChannelID(name string) string {
	id := strings.ToLower(strings.Join(strings.Fields(strings.TrimLeft(name, "# \t")), "-"))
	stem, _, _ := strings.Cut(id, ".")
	if schema.ValidID(id) && len(id) <= longestChannel && !strings.HasSuffix(id, ".") && !device(stem) {
		return id
	}
	hash := schema.DerivedID("", []byte(id))[:6]
	said := strings.TrimSuffix(topicSlug(id), hash) // which ends in it where it does not say all
	return cmp.Or(strings.Trim(said, "-"), "channel") + "-" + strings.ToLower(hash)
}

// device says whether Windows takes a file of that name for a device.
func device(stem string) bool {
	switch strings.TrimRight(stem, "0123456789") {
	case "con", "prn", "aux", "nul", "com", "lpt":
		return len(stem) <= 4
	}
	return false
}

// stemOf is the name of a new file, without what follows the point: what it is
// about, and what is the id's own, so that no two records meet in a file.
func stemOf(topic, id string) string {
	_, own, _ := strings.Cut(id, "-")
	return topicSlug(topic) + "-" + strings.ToLower(own)
}
