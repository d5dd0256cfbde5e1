package importer

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A reference names another decision record.
type reference struct {
	target string // of a link; "" if there is none
	text   string
}

var (
	replacedPhrase = lazyregexp.New(`(?i)(?:supers?c?eded|supercede?d|superseeded|replaced|obsoleted)[-_ ]*by|ersetzt\s+durch|abgelöst\s+(?:durch|von)|(?:remplacée?|supplantée?)\s+par|(?:reemplazad[oa]|sustituid[oa])\s+por|(?:substituíd[oa]|substituid[oa])\s+(?:por|pela|pelo)|(?:sostituit[oa]|superat[oa])\s+d[ai]l?|замен[её]н[ао]?(?:\s+на)?|(?:已?被|由)\s*(.{1,80}?)\s*(?:所?取代|替代|替换|置き換え)|(.{1,80}?)\s*(?:に|によって|により|で)\s*(?:置き換え|置換|取って代わ)|대체됨`)
	replacesPhrase = lazyregexp.New(`(?i)\b(?:supersedes?|supercedes?|superseding|replaces|replacing|obsoletes)\b|\bersetzt\b|\bremplace\b|\b(?:reemplaza|sustituye)\b|\bsubstitui\b|\bsostituisce\b|заменяет|取代|替代|替换|を置き換え|を置換`)
	recordNumber   = lazyregexp.New(`(?i)(?:\badr|\bdr|\bmadr|\brecord|\bdecision|#|№|第)[-_ #:]*(\d{1,5})\b|^\W*(\d{1,5})\b|\b(0\d{2,4})\b`)
	wikiLink       = lazyregexp.New(`\[\[([^\[\]|]+)(?:\|([^\[\]]*))?\]\]`)
)

// takeLinks takes the records that the lines of a status or of links supersede, or by which they are
// superseded.
func (d *decisionRecord) takeLinks(s string) {
	for s := range strings.Lines(s) {
		s = struckOut.ReplaceAllString(s, " ")
		if partialWord.FindStringIndex(s) != nil {
			continue
		}
		if at := replacedPhrase.FindStringSubmatchIndex(s); at != nil {
			rest := s[at[1]:]
			for i := 2; i+1 < len(at); i += 2 { // languages in which the record is named before the verb
				if at[i] >= 0 {
					rest = s[at[i]:at[i+1]]
				}
			}
			d.replacedBy = append(d.replacedBy, references(rest)...)
			continue
		}
		if at := replacesPhrase.FindStringIndex(s); at != nil {
			rest := s[at[1]:]
			if strings.HasPrefix(s[at[0]:], "を") {
				rest = s[:at[0]]
			}
			d.replaces = append(d.replaces, references(rest)...)
		}
	}
}

// takeLink is like takeLinks for a line outside of the status. The line begins with the words for it, and
// names the other record by a link or a number.
func (d *decisionRecord) takeLink(s string) {
	for _, phrase := range []*lazyregexp.Regexp{replacedPhrase, replacesPhrase} {
		at := phrase.FindStringIndex(s)
		if at == nil || strings.ContainsFunc(s[:at[0]], unicode.IsLetter) && !strings.HasPrefix(s[at[0]:], "を") {
			continue
		}
		if linkText.FindStringIndex(s) != nil || wikiLink.FindStringIndex(s) != nil || numberIn(s[at[1]:]) != "" || numberIn(s) != "" {
			d.takeLinks(s)
		}
		return
	}
}

// references returns the records that a text names: by links, by numbers, or by a title.
func references(s string) (all []reference) {
	for _, m := range linkText.FindAllStringSubmatch(s, 20) {
		all = append(all, reference{target: m[2], text: m[1]})
	}
	for _, m := range wikiLink.FindAllStringSubmatch(s, 20) {
		all = append(all, reference{target: m[1], text: m[1] + " " + m[2]})
	}
	if len(all) > 0 {
		return all
	}
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' || r == '、' || r == '，' }) {
		for _, and := range strings.Split(part, " and ") {
			and = strings.Trim(strings.TrimSpace(plain(and)), " .[]()|\"'`:：")
			if and != "" {
				all = append(all, reference{text: and})
			}
		}
	}
	return all
}

// numberIn returns the number of the record that a text names, without leading zeros.
func numberIn(s string) string {
	m := recordNumber.FindStringSubmatch(s)
	for i := 1; i < len(m); i++ {
		if m[i] != "" {
			return strings.TrimLeft(m[i], "0")
		}
	}
	return ""
}

// find returns the index of the record that ref means, of those in the same folder or of all; -1 if
// none or several may be meant. from is the index of the record that names it.
func find(all []decisionRecord, from int, ref reference) int {
	dir := path.Dir(all[from].file)
	target, _, _ := strings.Cut(ref.target, "#")
	if target != "" && !strings.Contains(target, "://") {
		at := path.Join(dir, target)
		if i := slices.IndexFunc(all, func(d decisionRecord) bool { return d.file == at || strings.TrimSuffix(d.file, ".md") == at }); i >= 0 {
			return i
		}
	}
	base := strings.TrimSuffix(path.Base(target), path.Ext(target))
	if target == "" {
		base = ""
	}
	only := func(is func(d decisionRecord) bool) int {
		near, far := -1, -1
		for i, d := range all {
			switch {
			case i == from || !is(d):
			case path.Dir(d.file) == dir && near == -1:
				near = i
			case path.Dir(d.file) == dir:
				near = -2
			case far == -1:
				far = i
			default:
				far = -2
			}
		}
		if near != -1 {
			return near
		}
		return far
	}
	slug := slugOf(base)
	words := slugOf(strings.TrimLeftFunc(ref.text, func(r rune) bool { return !unicode.IsLetter(r) }))
	number := numberIn(base)
	if number == "" {
		number = numberIn(ref.text)
	}
	for _, is := range []func(d decisionRecord) bool{
		func(d decisionRecord) bool { return base != "" && strings.TrimSuffix(path.Base(d.file), ".md") == base },
		func(d decisionRecord) bool { return strings.EqualFold(d.id, strings.TrimSpace(ref.text)) },
		func(d decisionRecord) bool { return number != "" && strings.TrimLeft(d.number, "0") == number },
		func(d decisionRecord) bool { return words != "" && slugOf(d.title) == words },
		func(d decisionRecord) bool { return slug != "" && slugOf(d.title) == slug },
		func(d decisionRecord) bool { return titleIn(ref.text, d.title) },
	} {
		if i := only(is); i >= 0 {
			return i
		}
	}
	return -1
}

// titleIn reports whether a text names a title, such as "Decision 3: Use X".
func titleIn(s, title string) bool {
	return len(title) >= 8 && strings.Contains(slugOf(s), slugOf(title))
}

// slugOf returns the letters and digits of a text in lower case, with dashes between words, without
// the number that it begins with.
func slugOf(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) > 1 && words[0] == "adr" {
		words = words[1:]
	}
	if len(words) > 1 && strings.Trim(words[0], "0123456789") == "" {
		words = words[1:]
	}
	return strings.Join(words, "-")
}
