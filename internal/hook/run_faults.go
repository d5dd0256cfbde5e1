package hook

import (
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// A RunFault is an error of a hook. It was not reported to the agent.
type RunFault struct {
	Time  string `json:"time"` // last time
	Agent string `json:"agent"`
	Event string `json:"event"`
	Text  string `json:"text"`
	Times int    `json:"times"`
}

const (
	faultsFile = "hook-faults.json"
	mostFaults = 20
)

// folderOf returns the folder of a tree in whose `.local/` hooks store their data.
func folderOf(tree *fs.Tree) string {
	if fi, err := tree.Look(fs.Forgemind); fs.IsUnread(err) || err == nil && fi.IsDir() {
		return fs.Forgemind
	}
	return fs.Quaid
}

// FaultsName returns the name of the file with the RunFaults of a tree.
func FaultsName(tree *fs.Tree) string { return fs.LocalName(folderOf(tree), faultsFile) }

// RunFaults returns the last faults of hooks that ran in a tree, newest last.
func RunFaults(tree *fs.Tree) []RunFault {
	var kept struct {
		Faults []RunFault `json:"faults"`
	}
	src, err := tree.Read(FaultsName(tree))
	if err != nil || jsonedit.Decode(src, &kept) != nil {
		return nil
	}
	for i := range kept.Faults {
		f := &kept.Faults[i]
		f.Agent, f.Event, f.Text, f.Time = oneLine(f.Agent, 40), oneLine(f.Event, 40), oneLine(f.Text, 300), oneLine(f.Time, 40)
	}
	return kept.Faults[max(0, len(kept.Faults)-mostFaults):]
}

// CanRecord returns the reason why hooks cannot record faults in a tree, or nil.
func CanRecord(tree *fs.Tree) error {
	return tree.Writable(folderOf(tree))
}

// NoteFault records a fault for doctor. It ignores a failure.
func NoteFault(tree *fs.Tree, now time.Time, agent, event, text string) {
	masked, _ := secret.Mask(text)
	fault := RunFault{schema.FormatTime(now), oneLine(agent, 40), oneLine(event, 40), oneLine(masked, 300), 1}
	faults := RunFaults(tree)
	same := func(f RunFault) bool { return f.Agent == fault.Agent && f.Event == fault.Event && f.Text == fault.Text }
	if i := slices.IndexFunc(faults, same); i >= 0 {
		fault.Times += faults[i].Times
		faults = slices.Delete(faults, i, i+1)
	}
	faults = append(faults, fault)
	src, err := jsonedit.Marshal(struct {
		Version int        `json:"version"`
		Faults  []RunFault `json:"faults"`
	}{1, faults[max(0, len(faults)-mostFaults):]})
	if err == nil {
		_ = tree.WriteDerived(FaultsName(tree), src)
	}
}
