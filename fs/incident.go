package fs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// An Incident records a save, or a part of one, that is in no document: its bytes were
// kept aside.
type Incident struct {
	Time time.Time `json:"time"`
	Name string    `json:"name"`           // the document
	Kept string    `json:"kept"`           // where the bytes are kept
	What string    `json:"what"`           // what happened, one sentence
	Note bool      `json:"note,omitempty"` // the user need not do anything about it; see Tx.Keep
}

// Incidents lists the incidents that are recorded in `.local/`, oldest first. It leaves
// out notes, damaged lines, and incidents whose bytes were removed, because the user
// has handled those.
func (t *Tree) Incidents() ([]Incident, error) {
	var all []Incident
	var failed error
	for _, folder := range folders {
		found, err := t.incidents(folder)
		failed = errors.Join(failed, err)
		for _, i := range found {
			if !i.Note && t.keeps(i) {
				all = append(all, i)
			}
		}
	}
	return all, failed
}

// incidents returns all records of a folder, including notes and those whose bytes were
// removed.
func (t *Tree) incidents(folder string) (all []Incident, err error) {
	text, err := t.Read(LocalName(folder, incidentFile))
	if err != nil && !isNotExist(err) {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var i Incident
		if json.Unmarshal(line, &i) == nil && i.Name != "" {
			all = append(all, i)
		}
	}
	return all, nil
}

// keeps reports whether the bytes of i still exist. It is always true if they could not
// be kept.
func (t *Tree) keeps(i Incident) bool {
	if i.Kept == "" {
		return true
	}
	_, err := t.Look(i.Kept)
	return !isNotExist(err)
}

// incident records that bytes of name were kept aside.
func (h *lockedWriter) incident(name, kept, what string) {
	i := Incident{Time: h.tree.Now().UTC(), Name: name, Kept: kept, What: what}
	h.incidents = append(h.incidents, i)
	h.recordIncident(i)
}

// recordIncident appends a line to incidents.jsonl.
func (h *lockedWriter) recordIncident(i Incident) {
	line, err := json.Marshal(i)
	if err != nil {
		return
	}
	f, err := h.tree.open(LocalName(folderOf(i.Name), incidentFile), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	if m, err := stat(f); err != nil || m.plain(incidentFile) != nil {
		return
	}
	f.Write(append(line, '\n'))
	f.Sync()
}

// aside writes v to attic/, durably, and returns its path, or "" if that failed.
func (h *lockedWriter) aside(name string, v version) string {
	if !v.exists {
		return ""
	}
	d, err := h.dir(LocalName(folderOf(name), atticDir))
	if err != nil {
		return ""
	}
	file := fmt.Sprintf("%s-%s-%s", h.tree.stamp(), randomID(), flattenName(name))
	if err := h.tree.stageFile(d, file, v.data, 0o600); err != nil {
		return ""
	}
	syncDir(d.File)
	return d.name + "/" + file
}
