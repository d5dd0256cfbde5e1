package fs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// An Incident is a save, or a piece of one, that is not live: its bytes were
// kept aside.
type Incident struct {
	Time time.Time `json:"time"`
	Name string    `json:"name"` // the document
	Kept string    `json:"kept"` // where the bytes are
	What string    `json:"what"` // one sentence
}

// Incidents lists what was recorded in `.local/`, oldest first, as long as the
// bytes are there: whoever removes them has seen to it, and in time they age
// out. Lines that are damaged are left out.
func (t *Tree) Incidents() ([]Incident, error) {
	var all []Incident
	var failed error
	for _, folder := range folders {
		text, err := t.Read(LocalName(folder, incidentFile))
		if err != nil && !isNotExist(err) {
			failed = errors.Join(failed, err)
		}
		for line := range bytes.Lines(text) {
			var i Incident
			if json.Unmarshal(line, &i) == nil && i.Name != "" && t.keeps(i) {
				all = append(all, i)
			}
		}
	}
	return all, failed
}

// keeps says whether the bytes of i are still there. Where none could be kept
// it stands for ever.
func (t *Tree) keeps(i Incident) bool {
	if i.Kept == "" {
		return true
	}
	_, err := t.Look(i.Kept)
	return !isNotExist(err)
}

// incident records that bytes of name are kept aside.
func (h *turn) incident(name, kept, what string) {
	i := Incident{Time: h.tree.Now().UTC(), Name: name, Kept: kept, What: what}
	h.incidents = append(h.incidents, i)
	line, err := json.Marshal(i)
	if err != nil {
		return
	}
	f, err := h.tree.open(LocalName(folderOf(name), incidentFile), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
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

// aside writes v to recovered/, durably, and says where. It is empty where that
// failed.
func (h *turn) aside(name string, v version) string {
	if !v.exists {
		return ""
	}
	d, err := h.dir(LocalName(folderOf(name), recoveredDir))
	if err != nil {
		return ""
	}
	file := fmt.Sprintf("%s-%s-%s", h.tree.stamp(), randomID(), flat(name))
	if err := h.tree.stageFile(d, file, v.data, 0o600); err != nil {
		return ""
	}
	syncDir(d.File)
	return d.name + "/" + file
}
