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

// findNamedPeople adds the people that l names: a title and a name ("Dr. Anna Schmidt"),
// or a common given name and a family name ("John Miller").
func (f *finder) findNamedPeople(l line) {
	if l.code || len(l.text) > maxSentence*4 {
		return
	}
	low := string(mask(l.text))
	for _, at := range personName.FindAllStringIndex(l.text, maxNames) {
		name := l.text[at[0]:at[1]]
		if strings.IndexByte(low[at[0]:at[1]], maskByte) >= 0 || strings.ContainsAny(l.text[at[1]:min(len(l.text), at[1]+1)], "(_/@=") {
			continue
		}
		words := strings.Fields(name)
		if titles[strings.TrimRight(words[0], ".")] {
			if len(words) > 1 && !notFamily[words[len(words)-1]] {
				f.add(People, name)
			}
			continue
		}
		if len(words) > 1 && givenNames[strings.ToLower(words[0])] && !notFamily[words[1]] && !builtin().has(name) && !builtin().has(words[1]) {
			f.add(People, name)
		}
	}
	for _, m := range chinesePerson.FindAllStringSubmatch(l.text, maxNames) {
		f.add(People, m[1])
	}
}

var (
	personName    = lazyregexp.New(`(?:\b(?:Dr|Prof|Mr|Mrs|Ms|Herr|Frau)\.? )?(?:\b(?:Dr|Prof)\.? )?\b[A-Z]\p{Ll}+(?:-[A-Z]\p{Ll}+)?(?: [A-Z]\.)?(?: (?:von|van|de|del|di|da|zu|der)){0,2}(?: (?:Mc|Mac|O'|D')?[A-ZÄÖÜ]\p{Ll}+(?:-[A-ZÄÖÜ]\p{Ll}+)?)?`)
	chinesePerson = lazyregexp.New(`([王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤]\p{Han}{0,2}?(?:先生|女士|经理|博士|教授|老师))`)
)

var titles = set(`Dr Prof Mr Mrs Ms Herr Frau`)

// notFamily are words after a given name or a title that are no family name.
var notFamily = set(`January February March April June July August September October November December Monday Tuesday Wednesday Thursday
	Friday Saturday Sunday Street Road Avenue University College School Hospital Award Prize Day Test Code Desktop Studio Office
	Cloud Server Team Project Inc Ltd Corp Company Bay City County Park Lake River Island Museum Church Bridge Airport Is Was Has
	Said Says The And Or Will Can You We He She It They This That What When Where Who Why How Please Let Also But So If Then
	Januar Februar März Mai Juni Juli Oktober Dezember Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag`)

// givenNames are common given names that are hardly words or products.
var givenNames = set(`james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony steven
	paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob gary nicholas eric jonathan
	stephen larry justin scott brandon benjamin samuel gregory alexander patrick dennis jerry tyler aaron jose adam nathan
	henry douglas zachary peter kyle noah ethan jeremy walter keith roger terry austin sean gerald carl dylan harold jordan
	jesse bryan lawrence arthur gabriel bruce logan billy joe alan juan elijah willie albert wayne randy vincent mason roy
	ralph bobby russell bradley philip eugene mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa
	nancy betty sandra margaret ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca sharon
	laura cynthia dorothy amy kathleen angela shirley emma brenda pamela nicole anna samantha katherine christine helen debra
	rachel carolyn janet maria catherine heather diane olivia julie joyce victoria kelly christina joan evelyn lauren judith
	andrea hannah megan cheryl jacqueline martha madison teresa sara janice ann kathryn abigail sophia frances jean alice
	judy isabella julia denise marilyn beverly danielle theresa sophie charlotte lucas leon felix jonas jan max moritz
	stefan andreas markus martin matthias sebastian tobias florian jürgen klaus dieter hans wolfgang heinz karl fritz otto
	günter uwe ralf bernd petra sabine monika ursula renate gisela ingrid heike birgit claudia katja katrin anja silke nina
	lena lea mia marie johanna elena carlos luis miguel pedro pablo javier diego sofia lucia carmen ana isabel giovanni marco
	luca giulia francesca pierre jacques michel camille ahmed mohammed omar fatima aisha priya raj arjun ravi anil sanjay wei
	yuki hiroshi kenji sakura olga ivan dmitri sergei natasha svetlana lars sven erik ingrid astrid bjorn anders niels`)
