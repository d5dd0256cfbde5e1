package validate

import (
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A renaming finds the present names of condensations that threads and pins name by an
// earlier file name, using the content of the condensations.
type renaming struct {
	said    []condensed
	threads map[string][]string // ids of the threads that name a condensation
	there   map[string]bool
}

// A condensed holds the identifying content of a condensation.
type condensed struct {
	base    string // its file name
	threads []string
	stem    string // the file name that follows from its date and topic
}

// maxSaid is the number of bytes of a condensation that are read.
const maxSaid = 64 << 10

var (
	topicLabel  = lazyregexp.New(`(?m)^#{1,6}[ \t]+(?:📝[ \t]*)?[Cc]ondensation[ \t]*:[ \t]*(.*?)[ \t\r]*$`)
	dateLabel   = lazyregexp.New(`(?m)^\*\*Date:\*\*[ \t]*(\d{4}-\d\d-\d\d)`)
	threadLabel = lazyregexp.New(`(?m)^\*\*Thread:\*\*[ \t]*(.*?)[ \t\r]*$`)
)

func newRenaming(r fs.Reader) *renaming {
	n := &renaming{threads: map[string][]string{}, there: map[string]bool{}}
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for name, err := range r.Names(home + "/condensations") {
			if base := path.Base(name); err == nil && path.Ext(base) == ".md" {
				n.there[pinStem(base)] = true
				if src, err := r.Read(name); err == nil {
					n.said = append(n.said, saidIn(base, src[:min(len(src), maxSaid)]))
				}
			}
		}
		for name, err := range r.Names(home + "/threads") {
			if err != nil || fs.Place(name) != fs.DocThread {
				continue
			}
			src, _ := r.Read(name)
			doc, err := jsonedit.Parse(src)
			if err != nil {
				continue
			}
			id, _ := doc.Str(doc.Member(0, "id"))
			if of, _ := doc.Str(doc.Member(0, "condensation")); of != "" && id != "" {
				n.threads[pinStem(of)] = append(n.threads[pinStem(of)], id)
			}
		}
	}
	return n
}

func saidIn(base string, src []byte) condensed {
	first := func(label *lazyregexp.Regexp) string {
		if m := label.FindSubmatch(src); m != nil {
			return string(m[1])
		}
		return ""
	}
	c := condensed{base: base, threads: strings.Fields(first(threadLabel))}
	topic := strings.FieldsFunc(strings.ToLower(first(topicLabel)), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	if date := first(dateLabel); date != "" && len(topic) > 0 {
		c.stem = date + "-" + strings.Join(topic, "-")
	}
	return c
}

// pinStem returns the name for comparing condensations: the file name without .md.
func pinStem(name string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(name, "\\", "/")), ".md")
}

// now returns the present file of the condensation that was called old: the only one
// from the same thread, or with the date and the topic of the name. It returns "" if
// there is not exactly one.
func (n *renaming) now(old string) string {
	stem := pinStem(old)
	threads := n.threads[stem]
	var like []string
	for _, c := range n.said {
		if len(threads) > 0 && slices.ContainsFunc(c.threads, func(id string) bool { return slices.Contains(threads, id) }) {
			like = append(like, c.base)
		}
	}
	if len(like) == 0 {
		for _, c := range n.said {
			if c.stem == stem {
				like = append(like, c.base)
			}
		}
	}
	if len(like) != 1 {
		return ""
	}
	return like[0]
}

// rename changes threads and pins to the present names of condensations.
func (f *treeMender) rename() {
	n := newRenaming(f.reader)
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for _, dir := range []string{"/threads", "/channels"} {
			for name, err := range f.reader.Names(home + dir) {
				if kind := fs.Place(name); err == nil && (kind == fs.DocThread || kind == fs.DocPins) {
					f.renameIn(n, name)
				}
			}
		}
	}
}

// renameIn changes one document to the present names. Pins that become equal are
// joined.
func (f *treeMender) renameIn(n *renaming, name string) {
	src, err := f.reader.Read(name)
	if err != nil {
		return
	}
	doc, err := jsonedit.Parse(src)
	if err != nil || len(doc.Duplicates) > 0 {
		return
	}
	m := &mender{name: name, src: src}
	nodes := []int{doc.Member(0, "condensation")}
	if list := doc.Member(0, "pins"); list >= 0 && doc.Nodes[list].Kind == jsonedit.Array {
		for p := range doc.Children(list) {
			nodes = append(nodes, doc.Member(p, "condensation"))
		}
	}
	for _, node := range nodes {
		old, _ := doc.Str(node)
		if old == "" || n.there[pinStem(old)] {
			continue
		}
		now := n.now(old)
		value, err := jsonedit.Value(now)
		if now == "" || err != nil {
			continue
		}
		m.set(danglingReference, doc.Pointer(node), string(value), "the condensation "+plain(old)+" is called "+plain(now)+" now")
	}
	if len(m.done) > 0 {
		m.dropPins()
		f.mends = append(f.mends, Mend{m.name, m.src, m.done})
	}
}
