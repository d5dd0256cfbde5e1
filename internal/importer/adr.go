package importer

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// A decisionRecord is a file of a folder of architecture decision records.
type decisionRecord struct {
	file    string
	number  string // as it is written, such as "0003"; "" if it has none
	id      string // such as ADR-0003, or the file's name
	title   string
	titleAt int

	status   string // "" if the file states none
	stated   string // the words for it
	statusAt int
	filled   bool // the status is not the line of a template

	date    string // RFC 3339
	dateAt  int
	rawDate string // a date that cannot be read
	makers  string

	context, decision, chosen string
	impact, options           []string
	replaces, replacedBy      []reference

	parts map[string]bool // that were found
}

var (
	titlePrefix = lazyregexp.New(`(?i)^\s*(?:architecture decision record|architectural decision record|decision record|adr)?\s*[\[(#]?\s*(?:[a-z]{2,10}[-_ ]?)?(\d{1,6})[\])]?\s*(?:[.:)|]|[-–—]+)\s*`)
	titleWord   = lazyregexp.New(`(?i)^\s*(?:architecture decision record|architectural decision record|decision record|adr)\s*(?:(\d{1,6})\s+|[-–—:|]\s*)`)
	fileNumber  = lazyregexp.New(`(?i)^(?:[a-z]{1,10}[-_. ]*)?(\d{1,5})(?:[-_. ]|$)`)
	fileDay     = lazyregexp.New(`^(\d{4})-?(\d{2})-?(\d{2})[-_. ]`)
	label       = lazyregexp.New(`^\s*(?:[-*+>]\s+)*(?:\*\*|__|\*|_)?([^:：|*_\[\]]{2,40}?)(?:\*\*|__|\*|_)?\s*[:：](?:\*\*|__|\*|_)?\s*(.*)$`)
	optionLabel = lazyregexp.New(`(?i)^(?:option|alternative|alternativa|opción|opção|variante|方案|选项|選択肢)\s*(?:[0-9]+|[a-z])?\s*[:：.)–-]\s*|^\d+[.)]\s+`)
	chosenWord  = lazyregexp.New(`(?i)(?:chosen options?|we chose|gewählte optionen?|gewählte option|option (?:retenue|choisie)|opción elegida|opção escolhida|opzione scelta|выбранный вариант|选择的方案|选择的选项|所选方案|选定方案|選択した選択肢|選択肢の決定|選択された選択肢|选择方案|選定案|선택된 옵션|선택한 옵션)\s*[:：]\s*(.*)`)
	quotedText  = lazyregexp.New(`^["“„«「『'` + "`" + `]+\s*([^"”“»」』` + "`" + `]+?)\s*["”“»」』` + "`" + `]`)
)

// readRecord reads a decision record. The error says why a file is none.
func readRecord(file string, src []byte) (decisionRecord, error) {
	p := readPage(src)
	d := decisionRecord{file: file, filled: true, parts: map[string]bool{}}
	d.nameFile()
	if p.frontErr == nil {
		d.takeFront(p.front)
	}
	d.takeTitle(p)
	part, level := "", 0
	for i, s := range p.sections {
		if s.level > 0 {
			named := partNamed(s.title)
			if i == d.titleSection(p) {
				named = ""
			}
			if named != "" || s.level <= level {
				part, level = named, s.level
			}
			if named != "" {
				d.parts[named] = true
			}
		}
		d.takeSection(part, s)
	}
	switch {
	case d.title == "":
		return d, fmt.Errorf("it has no title")
	case !d.parts[partStatus] && !d.parts[partDecision] && !(d.parts[partContext] && d.parts[partConsequences]):
		return d, fmt.Errorf("it has neither a status nor a heading for the decision")
	}
	if d.date == "" {
		d.date = dateIn(d.stated)
	}
	if d.date == "" {
		if m := fileDay.FindStringSubmatch(path.Base(file)); m != nil {
			d.date = parseDate(m[1] + "-" + m[2] + "-" + m[3])
		}
	}
	return d, nil
}

// nameFile takes number and id from the name of the file.
func (d *decisionRecord) nameFile() {
	base := strings.TrimSuffix(path.Base(d.file), path.Ext(d.file))
	d.id = base
	if base == "index" || base == "README" || base == "readme" { // a folder for each record
		base = path.Base(path.Dir(d.file))
		d.id = base
	}
	if fileDay.FindStringIndex(base+"-") != nil {
		return
	}
	if m := fileNumber.FindStringSubmatch(base); m != nil {
		d.number = m[1]
		d.id = "ADR-" + m[1]
	}
}

// titleSection returns the index of the section whose heading is the title; -1 if there is none.
func (d *decisionRecord) titleSection(p page) int {
	for i, s := range p.sections {
		if s.level == 1 || s.level > 0 && partNamed(s.title) == "" {
			return i
		}
		if s.level > 0 && partNamed(s.title) != partTitle {
			return -1
		}
	}
	return -1
}

// takeTitle takes the title from the front matter, or else from the first heading.
func (d *decisionRecord) takeTitle(p page) {
	d.titleAt = 1
	if i := d.titleSection(p); i >= 0 {
		d.titleAt = p.sections[i].at
		if d.title == "" {
			d.title = p.sections[i].title
		}
	} else if d.title == "" {
		for _, s := range p.sections {
			if partNamed(s.title) == partTitle {
				d.title, d.titleAt = joined(s.lines), s.at
			}
		}
	}
	full := text.Line(d.title)
	for _, prefix := range []*lazyregexp.Regexp{titlePrefix, titleWord} {
		m := prefix.FindStringSubmatch(full)
		if m == nil {
			continue
		}
		if d.number == "" && m[1] != "" && fileDay.FindStringIndex(path.Base(d.file)) == nil {
			d.number, d.id = m[1], "ADR-"+m[1]
		}
		full = full[len(m[0]):]
		break
	}
	if n := strings.TrimLeft(d.number, "0"); n != "" { // "0003 Use X"
		if first, rest, ok := strings.Cut(full, " "); ok && strings.TrimLeft(first, "0") == n && strings.HasPrefix(first, "0") {
			full = rest
		}
	}
	d.title = text.Limit(strings.TrimSpace(full), maxTitle)
	if d.title == "" || placeholder(d.title) {
		d.title = ""
	}
}

// placeholder reports whether a value is one of a template that nobody filled in.
func placeholder(s string) bool {
	s = strings.TrimSpace(s)
	return s == "" || strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") || strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") ||
		strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") || strings.EqualFold(s, "YYYY-MM-DD")
}

// takeFront takes what the front matter says.
func (d *decisionRecord) takeFront(front map[string]any) {
	for key, v := range front {
		value := strings.Join(frontTexts(v), ", ")
		switch part := partNamed(strings.ReplaceAll(key, "_", " ")); {
		case part == partTitle:
			d.title = value
		case part != "":
			d.takeValue(part, value, 1)
		case strings.EqualFold(key, "id"):
			if schema.ValidID(value) && len(value) <= 60 {
				d.parts["id"] = true
			}
		}
	}
}

// frontTexts returns a value of front matter as texts.
func frontTexts(v any) (all []string) {
	switch v := v.(type) {
	case nil:
	case []any:
		for _, e := range v {
			all = append(all, frontTexts(e)...)
		}
	case map[string]any:
		for _, name := range []string{"name", "value", "title"} {
			if s, ok := v[name]; ok {
				return frontTexts(s)
			}
		}
	case time.Time:
		all = append(all, v.UTC().Format(time.DateOnly))
	default:
		all = append(all, text.Line(fmt.Sprint(v)))
	}
	return all
}

// takeValue takes the value of a label, of a cell or of a key of the front matter.
func (d *decisionRecord) takeValue(part, value string, at int) {
	switch part {
	case partStatus:
		d.takeStatus(value, at)
	case partDate:
		if day := dateIn(value); day != "" && d.date == "" {
			d.date, d.dateAt = day, at
		} else if day == "" && !placeholder(value) {
			d.rawDate, d.dateAt = value, at
		}
	case partMakers:
		if !placeholder(value) && d.makers == "" {
			d.makers = text.Limit(text.Line(plain(strings.TrimLeft(value, "@"))), 200)
		}
	case partReplaces:
		d.replaces = append(d.replaces, references(value)...)
	case partReplacedBy:
		d.replacedBy = append(d.replacedBy, references(value)...)
	}
}

// takeStatus takes a status. The first that states one counts.
func (d *decisionRecord) takeStatus(value string, at int) {
	value = strings.TrimSpace(value)
	if value == "" {
		return
	}
	d.parts[partStatus] = true
	d.takeLinks(value)
	status, filled := statusOf(value)
	if d.status != "" {
		return
	}
	if d.stated == "" || status != "" {
		d.stated, d.statusAt, d.filled = text.Limit(text.Line(plain(value)), 200), at, filled
	}
	d.status = status
}

// takeSection takes what the lines of a section say, whose part is that of its heading or of the one
// above.
func (d *decisionRecord) takeSection(part string, s section) {
	switch part {
	case "", partOther, partTitle:
		d.takeLabels(s.lines, true)
	case partStatus:
		var all []string
		for _, l := range s.lines {
			if t := strings.TrimSpace(l.text); t != "" && !l.code && !strings.HasPrefix(t, "|---") {
				all = append(all, t)
			}
		}
		at := s.at
		for _, l := range s.lines {
			if strings.TrimSpace(l.text) != "" {
				at = l.at
				break
			}
		}
		d.takeStatus(strings.Join(all, "\n"), at)
		d.takeLabels(s.lines, false)
	case partDate, partMakers:
		d.takeValue(part, joined(s.lines), s.at)
	case partReplaces, partReplacedBy:
		for _, l := range s.lines {
			d.takeValue(part, l.text, l.at)
		}
	case partLinks:
		for _, l := range s.lines {
			d.takeLink(l.text)
		}
	default:
		d.takeBody(part, s)
	}
}

// takeBody takes the text of context, decision, options and consequences.
func (d *decisionRecord) takeBody(part string, s section) {
	switch part {
	case partContext:
		d.context = strings.TrimSpace(d.context + " " + joined(s.lines))
		if !d.parts[partStatus] {
			d.takeLabels(s.lines, false)
		}
	case partDecision:
		said := joined(s.lines)
		if m := chosenWord.FindStringSubmatch(said); m != nil && d.chosen == "" {
			d.chosen = chosenOption(m[1])
		}
		d.decision = strings.TrimSpace(d.decision + " " + said)
	case partConsequences:
		d.impact = append(d.impact, entries(s)...)
	case partOptions:
		if partNamed(s.title) != partOptions && s.level > 0 { // a heading for each option
			d.options = append(d.options, option(s.title))
			return
		}
		for _, b := range bullets(s.lines) {
			if b.indent < 2 {
				d.options = append(d.options, option(b.text))
			}
		}
	}
}

// entries returns the items of the lists of a section, or else its paragraphs.
func entries(s section) (all []string) {
	list := bullets(s.lines)
	if len(list) == 0 {
		list = paragraphs(s.lines)
	}
	for _, b := range list {
		if e := entry(plain(b.text)); e != "" && !placeholder(e) && b.indent < 2 && len(all) < maxEntries {
			all = append(all, e)
		}
	}
	return all
}

// option returns the name of an option.
func option(s string) string {
	s = plain(s)
	s = optionLabel.ReplaceAllString(s, "")
	return entry(strings.TrimSuffix(s, "."))
}

// chosenOption returns the option that follows the words for it.
func chosenOption(s string) string {
	if m := quotedText.FindStringSubmatch(s); m != nil {
		return option(m[1])
	}
	for _, end := range []string{", because", " because", ", weil", ", car", ", porque", ", perché", "，因为", "、なぜなら", ". ", "。", ","} {
		if first, _, found := strings.Cut(s, end); found {
			s = first
		}
	}
	return option(s)
}

// takeLabels takes lines such as "Status: accepted", tables of them and, if links is set, lines such
// as "Supersedes [ADR 3](0003-x.md)".
func (d *decisionRecord) takeLabels(lines []line, links bool) {
	var columns []string
	for _, l := range lines {
		if l.code {
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(l.text), "|") {
			columns = d.takeRow(columns, l)
			continue
		}
		columns = nil
		if m := label.FindStringSubmatch(l.text); m != nil {
			if part := partNamed(m[1]); part != "" {
				d.takeValue(part, m[2], l.at)
				continue
			}
		}
		if links {
			d.takeLink(l.text)
		}
	}
}

// takeRow takes a row of a table, whose first column has the labels or whose first row. It returns
// the parts of the columns.
func (d *decisionRecord) takeRow(columns []string, l line) []string {
	cells := strings.Split(strings.Trim(strings.TrimSpace(l.text), "|"), "|")
	if strings.Trim(cells[0], " :-") == "" && strings.Contains(cells[0], "-") {
		return columns
	}
	var named []string
	count := 0
	for _, c := range cells {
		part := partNamed(c)
		if named = append(named, part); part != "" {
			count++
		}
	}
	if columns != nil {
		for i, c := range cells {
			if i < len(columns) && columns[i] != "" {
				d.takeValue(columns[i], strings.TrimSpace(c), l.at)
			}
		}
		return columns
	}
	if count >= 2 || len(cells) == 1 && count == 1 {
		return named
	}
	if count == 1 && named[0] != "" && len(cells) >= 2 {
		d.takeValue(named[0], strings.TrimSpace(cells[1]), l.at)
	}
	return nil
}
