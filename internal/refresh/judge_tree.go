package refresh

import (
	"slices"
	"time"

	"github.com/forgemind/forgemind/validate"
)

// treeRules are the rules about several documents, which judging one document does not check.
var treeRules = []string{"artifact-missing", "uncondensed-thread", "duplicate-id", "unrecorded-supersession"}

// treePause is a factor: the watcher judges the whole tree again after that many times the time that it
// took.
const treePause = 20

// A treeJudgment holds the findings of treeRules as they were found last.
type treeJudgment struct {
	known    bool // the tree was judged
	findings []validate.Finding
	at       time.Time
	took     time.Duration
}

// judgeTree reports the findings of treeRules that are new since the last time, and the files that
// have none any more. What is wrong when the watcher starts is not reported. If the last time was
// just now, it is done later; see loop.treeDue.
func (l *loop) judgeTree() {
	last, start := l.whole, time.Now()
	if l.watcher == nil {
		return
	}
	if wait := treePause*last.took - time.Since(last.at); last.known && wait > 0 {
		if l.treeDue == nil {
			l.treeDue = time.After(wait)
		}
		return
	}
	l.treeDue = nil
	report, err := validate.Tree(l.tree.Tree, validate.Options{Severity: validate.Configured(l.tree)})
	if err != nil {
		return // the next pass tries again
	}
	found := slices.DeleteFunc(report.Findings, func(f validate.Finding) bool {
		return !slices.Contains(treeRules, f.Rule) || l.invalid[f.File] // judge has told
	})
	l.whole = treeJudgment{known: true, findings: found, at: time.Now(), took: time.Since(start)}
	if !last.known {
		return
	}
	for _, f := range found {
		known := func(g validate.Finding) bool { return g.File == f.File && g.Rule == f.Rule && g.Message == f.Message }
		if !slices.ContainsFunc(last.findings, known) {
			l.tellFinding(f)
		}
	}
	told := map[string]bool{}
	for _, f := range last.findings {
		still := slices.ContainsFunc(found, func(g validate.Finding) bool { return g.File == f.File })
		if !still && !told[f.File] && l.there(f.File) {
			told[f.File] = true
			l.tell(Occurrence{Time: l.now(), Event: Valid, File: f.File})
		}
	}
}
