package views

import (
	"bytes"

	"github.com/forgemind/forgemind/fs"
)

// Torn reports whether src, which stands at name, is a view that was cut off while it was
// written, and can be made anew from records: it has no content, or no more than the
// beginning of one of the last renderings. Nothing in it is what somebody edited.
func Torn(r fs.Reader, name string, src []byte) bool {
	doc := fs.Place(name)
	if src == nil || doc != fs.DocState && doc != fs.DocHotContext {
		return false
	}
	last := LastRenderings(r, name)
	return last.begins(src) || isBlank(src) && (last.Last() != nil || onlyRecords(r))
}

// isBlank reports whether a document has no content: the system may write such a file when
// the power is cut, and people do.
func isBlank(src []byte) bool { return len(bytes.Trim(src, " \t\r\n\x00")) == 0 }

// begins reports whether src is the beginning of a rendering whose text is kept. The system
// may have written zeros for the rest.
func (b Renderings) begins(src []byte) bool {
	whole := bytes.TrimRight(src, "\x00")
	for _, text := range b.texts {
		if bytes.HasPrefix(text, whole) && !bytes.Equal(text, src) {
			return true
		}
	}
	return false
}
