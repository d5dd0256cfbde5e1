package audit

import (
	"errors"
	"fmt"
	iofs "io/fs"

	"github.com/forgemind/forgemind/internal/importer"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

var changedSource = Kind{
	Name:    "changed-source",
	Summary: "The file that a record was imported from says something else now, or is gone.",
	look: func(s *survey) {
		if s.o.Since != "" { // what a file outside of the tree said at that revision is not known
			return
		}
		c := sources{survey: s, items: map[string]map[string]string{}}
		for _, d := range s.current {
			if name := s.fileOf(d.ID); name != "" && d.Origin == schema.OriginImported {
				c.look(name, d.ID, "'forgemind import' says what differs; a decision that supersedes it settles it")
			}
		}
		for _, k := range []records.Kind{records.Constraint, records.Question, records.Action, records.Goal} {
			all, _ := records.Current(s.reader, k)
			for _, rec := range all {
				if rec.InForce() {
					c.lookAt(rec.Name, rec.ID, rec.Members["source"], "'forgemind import' takes over what changed")
				}
			}
		}
	},
}

// Sources are the files that records were imported from, as they are now.
type sources struct {
	*survey
	items map[string]map[string]string // format and file → id of a record → digest of its item
}

// look checks the source of the record in the file name.
func (c *sources) look(name, id, hint string) {
	src, err := c.reader.Read(name)
	if err != nil {
		return
	}
	if doc, err := jsonedit.Parse(src); err == nil {
		c.lookAt(name, id, doc.Raw(doc.Member(0, "source")), hint)
	}
}

// lookAt checks a source: what the item of the record says now.
func (c *sources) lookAt(name, id string, raw []byte, hint string) {
	var source importer.Source
	if raw == nil || jsonedit.Decode(raw, &source) != nil || source.File == "" || source.From != "" || source.Digest == "" || c.o.Root == "" {
		return
	}
	format, ok := importer.FormatNamed(source.Format)
	if !ok {
		return
	}
	key := source.Format + "\n" + source.File
	if _, known := c.items[key]; !known {
		res, err := format.Read(c.reader, []string{source.File})
		if errors.Is(err, iofs.ErrNotExist) {
			c.items[key] = nil
		} else if digests := map[string]string{}; err == nil {
			for _, it := range res.Items {
				digests[it.RecordID()] = it.Source.Digest
			}
			c.items[key] = digests
		}
	}
	now := c.items[key]
	at := c.spot(name, "/source")
	digest, there := now[id]
	switch {
	case now == nil:
		c.add(at, 40, id, fmt.Sprintf("%s came from %s, which is gone", plain(id), plainPath(source.File)), hint, Evidence{File: source.File})
	case !there:
		c.add(at, 55, id, fmt.Sprintf("%s came from %s, which does not say it any more", plain(id), plainPath(source.File)), hint, Evidence{File: source.File, Line: source.Line})
	case digest != source.Digest:
		c.add(at, 55, id, fmt.Sprintf("%s came from %s, which was changed since", plain(id), plainPath(source.File)), hint, Evidence{File: source.File, Line: source.Line})
	}
}
