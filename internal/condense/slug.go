package condense

import (
	"cmp"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// longestChannel is the length of the longest folder name of a channel, in bytes.
const longestChannel = 80

// ChannelID returns the folder name of a channel: without a leading "#", in lower case, with a
// hyphen for each blank, as in chat programs. If characters cannot be in a folder name (a slash, an
// emoji, an empty name), a hash of the whole name is appended, so that two channels never share a
// folder.
func ChannelID(name string) string {
	id := strings.ToLower(strings.Join(strings.Fields(strings.TrimLeft(name, "# \t")), "-"))
	stem, _, _ := strings.Cut(id, ".")
	if schema.ValidID(id) && len(id) <= longestChannel && !strings.HasSuffix(id, ".") && !isWindowsDevice(stem) {
		return id
	}
	hash := schema.DerivedID("", []byte(id))[:6]
	said := strings.TrimSuffix(Slug(id), hash) // Slug appends the hash if the name is incomplete
	return cmp.Or(strings.Trim(said, "-"), "channel") + "-" + strings.ToLower(hash)
}

// isWindowsDevice reports whether Windows takes a file of that name for a device.
func isWindowsDevice(stem string) bool {
	switch strings.TrimRight(stem, "0123456789") {
	case "con", "prn", "aux", "nul", "com", "lpt":
		return len(stem) <= 4
	}
	return false
}

// stemOf returns the name of a new file without its extension. It has the topic and the significant
// part of the id, so that no two records have the same name.
func stemOf(topic, id string) string {
	_, own, _ := strings.Cut(id, "-")
	return Slug(topic) + "-" + strings.ToLower(own)
}
