package validate

import "github.com/forgemind/forgemind/fs"

var staleView = Rule{
	Name:     "stale-view",
	Severity: Warning,
	Summary:  "A view says of a record what the record does not say, and nobody knows what was edited.",
	Help: `The State and the hot contexts of sessions are views: they show records, and an edit of
one is taken over as a change of the record. What an edit is shows in the rendering that
somebody had before them: the State names it in metadata.rendered. The rule reports what a
view says otherwise than the records where that explains nothing:

- an item or the project in a view that names a rendering which is no longer known, since
  it is older than the last 64, or comes from another working copy. New items count
- an item that the rendering did not show, with the id or the text of a record that says
  something else
- such an item whose record is closed: a view closes nothing, and opens nothing again

The next command, or forgemind watch, shows the record again, and says so. Nothing is lost
but these values.

Wrong:

    { "id": "ACT-7F3K2Q", "action": "Mow", "priority": "high" }    pasted from an old copy,
                                                                    while the record says low

Right:

    forgemind action add … , or an edit of the item that the view shows

To mend it, make the change in the view as it stands now, or by command. A decision that
a view shows otherwise than its file is changed-decision, items that share an id are
duplicate-id, and a view that cannot be read is json-syntax or schema.
`,
}

// StaleView returns the finding for a view with the content src that has an edit at
// offset that is not adopted. It returns none if the settings of the tree disable the
// rule.
func StaleView(r fs.Reader, name string, src []byte, offset int, message string) []Finding {
	s := newSeverities(Configured(r))[ruleIndex(staleView.Name)]
	if s == Off {
		return nil
	}
	f := Finding{File: name, Rule: staleView.Name, Severity: s, Message: message, Hint: "make the change in the view as it stands after the next command, or by command"}
	pen := placer{src: src}
	f.Line, f.Column, f.Column16 = pen.at(offset)
	return []Finding{f}
}
