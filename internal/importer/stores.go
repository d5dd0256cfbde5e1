package importer

import (
	"cmp"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
)

// readMemoryBank reads the files of a memory bank. Lists below headings such as "Next steps" are items
// of their kind, other sections are notes.
func readMemoryBank(files []File, res *Result) {
	for _, f := range files {
		kind, level := "", 0
		fallback := map[string]string{"decisionLog.md": Decision}[path.Base(f.Name)]
		for _, s := range readPage(f.Src).sections {
			if named := kindOfHeading(s.title); named != "" && s.level > 1 {
				kind, level = named, s.level
			} else if s.level <= level {
				kind, level = "", 0
			}
			if k := cmp.Or(kind, fallback); k != "" && len(bullets(s.lines)) > 0 {
				takeList(k, f, s, res)
			} else {
				takeProse(f, MemoryBank, s, res)
			}
		}
	}
}

var ctxEntry = lazyregexp.New(`^\[(\d{4}-\d{2}-\d{2})[^\]]*\]\s*(.*)$`)

// readCtx reads the files of a folder .context.
func readCtx(files []File, res *Result) {
	for _, f := range files {
		name := strings.ToLower(path.Base(f.Name))
		kind := map[string]string{
			"decisions.md": Decision, "tasks.md": Action, "conventions.md": Constraint, "constitution.md": Constraint, "learnings.md": Note,
		}[name]
		switch p := readPage(f.Src); kind {
		case "":
			for _, s := range p.sections {
				takeProse(f, Ctx, s, res)
			}
		case Decision, Note:
			takeCtxEntries(kind, f, p, res)
		default:
			for _, s := range p.sections {
				if len(bullets(s.lines)) > 0 {
					takeList(kind, f, s, res)
				}
			}
		}
	}
}

// takeCtxEntries takes the entries of DECISIONS.md and LEARNINGS.md: a heading with a date, and bold
// labels below it.
func takeCtxEntries(kind string, f File, p page, res *Result) {
	for _, s := range p.sections {
		m := ctxEntry.FindStringSubmatch(s.title)
		if m == nil {
			if s.level > 1 || len(bullets(s.lines)) > 0 {
				takeList(kind, f, s, res)
			}
			continue
		}
		said := labelled(s.lines)
		it := Item{
			Kind: kind, Text: m[2], At: parseDate(m[1]), Context: prose(said["context"]), Rationale: prose(cmp.Or(said["rationale"], said["decision"])),
			Source: Source{Format: Ctx, File: f.Name, Line: s.at, ID: strings.Trim(strings.TrimSuffix(s.title, m[2]), "[] "), Status: said["status"]},
		}
		if kind == Note {
			it.Section = "Lessons learned"
			it.Text = strings.TrimSpace(it.Text + ": " + cmp.Or(said["lesson"], joined(s.lines)))
			it.Rationale = prose(said["application"])
		} else {
			if said["consequences"] != "" {
				it.Impact = []string{entry(said["consequences"])}
			}
			status, _ := statusOf(said["status"])
			decide(&it, cmp.Or(status, Accepted))
		}
		res.add(it, f.Name+"\n"+it.Source.ID)
	}
}

// labelled returns the texts after the labels of lines, such as "**Context**: …", by label.
func labelled(lines []line) map[string]string {
	all, last := map[string]string{}, ""
	for _, l := range lines {
		said := strings.TrimSpace(l.text)
		if m := label.FindStringSubmatch(said); m != nil && !l.code {
			last = strings.ToLower(plain(m[1]))
			said = m[2]
		}
		if last != "" && said != "" && !l.code {
			all[last] = strings.TrimSpace(all[last] + " " + plain(said))
		}
	}
	return all
}

// decide makes of an item what its status is: a decision in force, a question or a note.
func decide(it *Item, status string) {
	it.Status = status
	switch status {
	case Proposed:
		it.Kind = Question
		it.Text = "Proposed: " + it.Text
	case Rejected, Deprecated, Superseded:
		it.Kind, it.Section = Note, notInForce
		it.Text = strings.ToUpper(status[:1]) + status[1:] + ": " + it.Text
	}
}

// backlogPlaces returns the folder of Backlog.md in a tree.
func backlogPlaces(r fs.Reader) (all []string) {
	for _, dir := range []string{"backlog", ".backlog"} {
		if len(existing(dir+"/tasks")(r))+len(existing(dir+"/decisions")(r)) > 0 {
			all = append(all, dir)
		}
	}
	return all
}

// readBacklog reads the tasks and the decisions of Backlog.md.
func readBacklog(files []File, res *Result) {
	var decisions []File
	for _, f := range files {
		switch path.Base(path.Dir(f.Name)) {
		case "decisions":
			decisions = append(decisions, f)
		case "tasks", "completed":
			takeTask(f, res)
		case "docs", "doc":
			for _, s := range readPage(f.Src).sections {
				takeProse(f, Backlog, s, res)
			}
		}
	}
	from := len(res.Items)
	readADR(decisions, res)
	for i := from; i < len(res.Items); i++ {
		res.Items[i].Source.Format = Backlog
	}
}

// takeTask takes a task of Backlog.md.
func takeTask(f File, res *Result) {
	p := readPage(f.Src)
	front := func(keys ...string) string {
		for _, key := range keys {
			if s := strings.Join(frontTexts(p.front[key]), ", "); s != "" {
				return s
			}
		}
		return ""
	}
	if p.frontErr != nil || front("title") == "" {
		res.problem(f.Name, 1, "it is no task: its front matter has no title", "Backlog.md writes id, title and status")
		return
	}
	it := Item{
		Kind: Action, Text: front("title"), Priority: priorityOf(front("priority")), Assigned: strings.TrimPrefix(front("assignee"), "@"), At: dateIn(front("created_date", "created")),
		Source: Source{Format: Backlog, File: f.Name, Line: 1, ID: front("id"), Status: front("status")},
	}
	switch strings.ToLower(it.Source.Status) {
	case "done", "complete", "completed", "closed":
		it.Status = Done
	}
	for _, s := range p.sections {
		if strings.EqualFold(s.title, "description") {
			it.Context = prose(joined(s.lines))
		}
	}
	for _, id := range frontTexts(p.front["dependencies"]) {
		it.BlockedBy = append(it.BlockedBy, keyIn(Backlog, strings.ToLower(id)))
	}
	it.Aliases = []string{it.Source.ID}
	res.add(it, cmp.Or(strings.ToLower(it.Source.ID), f.Name))
}

var (
	observation = lazyregexp.New(`^\[([\p{L} _-]{2,30})\]\s+(.*)$`)
	relation    = lazyregexp.New(`^([\p{L}_ -]{2,40})\s+\[\[([^\[\]]+)\]\]`)
)

// categories maps the categories of observations to kinds. Others are notes.
var categories = map[string]string{
	"decision": Decision, "requirement": Constraint, "constraint": Constraint, "rule": Constraint, "convention": Constraint, "todo": Action, "task": Action,
	"action": Action, "goal": Goal, "question": Question,
}

// readNotes reads the observations and the relations of the notes of basic-memory.
func readNotes(files []File, res *Result) {
	for _, f := range files {
		p := readPage(f.Src)
		title := strings.Join(frontTexts(p.front["title"]), " ")
		var found []Item
		var relations []string
		for _, s := range p.sections {
			for _, b := range bullets(s.lines) {
				if m := relation.FindStringSubmatch(b.text); m != nil {
					relations = append(relations, text.Line(m[1]+" "+m[2]))
					continue
				}
				m := observation.FindStringSubmatch(b.text)
				if m == nil {
					continue
				}
				it := Item{
					Kind: cmp.Or(categories[strings.ToLower(m[1])], Note), Text: plain(hashTag.ReplaceAllString(m[2], "")),
					Source: Source{Format: Notes, File: f.Name, Line: b.at, ID: strings.Join(frontTexts(p.front["permalink"]), "")},
				}
				it.of(cmp.Or(title, "Notes"))
				found = append(found, it)
			}
		}
		if len(found) == 0 {
			for _, s := range p.sections {
				takeProse(f, Notes, s, res)
			}
		}
		for _, it := range found {
			if len(relations) > 0 {
				it.Members = map[string]any{"relations": relations}
			}
			res.add(it, f.Name+"\n"+it.Text)
		}
	}
}
