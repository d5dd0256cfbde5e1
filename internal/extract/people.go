package extract

import (
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

var (
	mentionPattern = lazyregexp.New(`@[\p{Latin}][\p{Latin}\d_-]{0,38}`)
	declaration    = lazyregexp.New(`^\s*(?:@|(?:async |export |default |public |private |protected |static |abstract |final )*(?:def|class|func|fun|function|interface|void|record|enum|const|let|var|type)\b|(?:public|private|protected)\s)`)
)

// addPeople adds the people that l mentions. after is the next line.
func (f *finder) addPeople(l, after line) {
	if l.code || !strings.Contains(l.text, "@") {
		return
	}
	alone := mentionPattern.FindString(l.text)
	if strings.HasPrefix(strings.TrimSpace(l.text), "@") && (strings.TrimSpace(l.text) == alone || strings.Contains(l.text, "(")) && declaration.MatchString(after.text) {
		return // a decorator
	}
	chunks := splitChunks(l.text)
	for i := range chunks {
		c := &chunks[i]
		if c.inCode || !strings.HasPrefix(c.text, "@") || !canPrecedeMention(c.prev) || c.next == '(' || c.next == '{' {
			continue
		}
		name := strings.TrimRight(c.text, ".:-")
		name = strings.TrimSuffix(name, "/")
		if mentionPattern.FindString(name) == name && !notPeople[strings.ToLower(name[1:])] {
			f.add(People, name)
		}
	}
}

// canPrecedeMention reports whether a mention may begin after r.
func canPrecedeMention(r rune) bool {
	return r == 0 || strings.ContainsRune(" \t([\"'“‘„,;:!*>—–（，。：、", r) || isIdeographic(r)
}

// notPeople are other words after "@": decorators, annotations, tags of comments,
// rules of stylesheets, versions of packages, groups.
var notPeople = set(`override property dataclass staticmethod classmethod abstractmethod test before after beforeeach
	aftereach deprecated param params return returns throws throw see todo author since version example default type
	typedef typeparam template private public protected internal readonly link media import charset keyframes font-face
	supports layer apply tailwind include mixin extend use forward component injectable input output bean autowired
	service controller repository entity table column id getter setter data builder nullable notnull nonnull valid
	app router route pytest fixture patch mock everyone here channel all team latest next types babel beta alpha rc main
	master head stable nightly objc available escaping state binding published main mainactor suppress suppresswarnings
	decorator file brief note warning ts-ignore ts-expect-error ts-nocheck noinspection jest vue angular react nestjs`)
