package validate

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
)

var encoding = Rule{
	Name:     "encoding",
	Severity: Error,
	Summary:  "Text that is not UTF-8, holds zero bytes, or is JSON with a byte order mark.",
	Help: `Documents are UTF-8. This one holds bytes that are not, was saved as UTF-16 or in
an old code page, is JSON that begins with a byte order mark, or is a note, a summary
or other text that holds a zero byte, as no text does.

Readers would refuse the document or show wrong characters, and every program
that writes it back would make it worse.

Wrong: "Caf\xe9" (the one byte E9, as Latin-1 has it).

Right: "Café" saved as UTF-8 (the two bytes C3 A9).

To mend it, open the file in the encoding it was written in and save it as UTF-8
without a byte order mark. ` + "`forgemind validate --fix`" + ` removes a byte order mark.
`,
	whole: func(d *document) {
		switch {
		case d.bom && d.form != formText:
			d.report(0, "", "JSON begins with a byte order mark", "save it as UTF-8 without one, or run validate --fix")
		case d.form != formText:
		case bytes.HasPrefix(d.src, []byte("\xff\xfe")) || bytes.HasPrefix(d.src, []byte("\xfe\xff")):
			d.report(0, "", "the text is UTF-16, not UTF-8", "save it as UTF-8")
		case !utf8.Valid(d.src):
			at := text.InvalidUTF8(d.src)
			d.report(at, "", fmt.Sprintf("the text is not UTF-8: byte %#02x", d.src[at]), "save it as UTF-8")
		case d.kind != fs.DocActiveSession && bytes.IndexByte(d.src, 0) >= 0:
			d.report(bytes.IndexByte(d.src, 0), "", "the text holds a zero byte: it is no text, or was cut off while it was written",
				"bring back the text that stood there, or move the file away")
		}
	},
	record: func(d *document) {
		if d.err != nil && d.err.Kind == jsonedit.Encoding && !d.last {
			d.report(d.err.Offset, "", d.err.Msg, "save it as UTF-8")
		}
	},
}
