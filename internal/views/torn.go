package views

import (
	"bytes"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// Torn reports whether src, which stands at name, is a view that was cut off while it was
// written, and that can be made anew: the State, or the hot context of the active session,
// without content or with no more than the beginning of one of the last renderings.
// Nothing in it is what somebody edited.
func Torn(r fs.Reader, name string, src []byte) bool {
	if src == nil || name != fs.State && !isActive(r, name) {
		return false
	}
	last := LastRenderings(r, name)
	if last.begins(src) {
		return true
	}
	return isBlank(src) && (last.Last() != nil || Rendered(r, name))
}

// Rendered reports whether all that the document at name shows stands in records, so that
// the next command makes it anew where it is missing: the State, or the hot context of the
// active session.
func Rendered(r fs.Reader, name string) bool {
	return onlyRecords(r) && (name == fs.State && hasProject(r) || isActive(r, name))
}

// isActive reports whether name is the hot context of the active session.
func isActive(r fs.Reader, name string) bool {
	if fs.Place(name) != fs.DocHotContext {
		return false
	}
	active, err := r.Read(fs.ActiveSession)
	return err == nil && path.Base(path.Dir(name)) == strings.TrimSpace(string(active))
}

// hasProject reports whether a State can be made of the records.
func hasProject(r fs.Reader) bool {
	project, _ := records.ReadProject(r)
	return project.Exists()
}

// isBlank reports whether a document has no content: the system may write such a file when
// the power is cut, and people do.
func isBlank(src []byte) bool { return len(bytes.Trim(src, " \t\r\n\x00")) == 0 }

// begins reports whether src is no JSON, and the beginning of a rendering whose text is
// kept. The system may have written zeros for the rest.
func (b Renderings) begins(src []byte) bool {
	whole := bytes.TrimRight(src, "\x00")
	for _, text := range b.texts {
		if bytes.HasPrefix(text, whole) && !bytes.Equal(text, src) {
			_, err := jsonedit.Parse(src)
			return err != nil
		}
	}
	return false
}
