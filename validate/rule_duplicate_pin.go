package validate

import (
	"maps"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

var duplicatePin = Rule{
	Name:     "duplicate-pin",
	Severity: Warning,
	Summary:  "A condensation is pinned twice in one channel.",
	Help: `The pins of a channel name one condensation twice. It takes the room of another, of
which there are 50 at most, and whoever unpins it finds it pinned still.

It comes from a merge that kept both sides by hand: both branches had pinned it.

Wrong:

    {"condensation": "2026-02-15-glass.md", "pinned_at": "2026-02-15T10:00:00Z"},
    {"condensation": "2026-02-15-glass.md", "pinned_at": "2026-02-15T11:00:00Z"}

Right:

    {"condensation": "2026-02-15-glass.md", "pinned_at": "2026-02-15T10:00:00Z"}

To mend it, run ` + "`forgemind validate --fix`" + `, which keeps the earlier pin, or remove one by hand.
`,
	record: func(d *document) {
		if !d.parsed() || d.kind != fs.DocPins {
			return
		}
		seen := map[string]bool{}
		list := d.tape.Member(0, "pins")
		if d.kindOf(list) != jsonedit.Array {
			return
		}
		for p := d.first(list); p >= 0; p = d.next(p) {
			switch name := pinAt(&d.tape, p).name; {
			case name == "":
			case seen[name]:
				d.at(d.tape.Member(p, "condensation"), "the condensation "+plain(name)+" is pinned already", "validate --fix keeps the earlier pin")
			default:
				seen[name] = true
			}
		}
	},
}

// dropPins removes repeated pins; the earlier of two stays.
func (m *mender) dropPins() {
	doc, err := jsonedit.Parse(m.src)
	if err != nil || doc.Nodes[0].Kind != jsonedit.Object || len(doc.Duplicates) > 0 {
		return
	}
	list := doc.Member(0, "pins")
	if list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return
	}
	best := map[string]int{} // the node of the pin that stays
	for p := range doc.Children(list) {
		at := pinAt(doc, p)
		had, twice := best[at.name]
		if !twice || at.before(pinAt(doc, had)) {
			best[at.name] = p
		}
	}
	dropped := 0
	of := map[string]bool{}
	out, err := jsonedit.Filter(m.src, "/pins", func(doc *jsonedit.Doc, p int) bool {
		at := pinAt(doc, p)
		stays := at.name == "" || best[at.name] == p
		if !stays {
			dropped++
			of[at.name] = true
		}
		return stays
	})
	if err == nil && dropped > 0 {
		m.put(duplicatePin, "/pins", out, "removed "+counted(dropped, "pin", "pins")+" of what is pinned already: "+plainList(slices.Sorted(maps.Keys(of))))
	}
}
