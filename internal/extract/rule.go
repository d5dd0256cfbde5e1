package extract

import (
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A StatedRule is a rule that a text states: a standing instruction or a constraint.
type StatedRule struct {
	Rule       string
	Confidence float64 // ratio 0–1
	Imperative bool    // such as "Never push to main": a rule of a user or a boss, mere advice of anybody else
}

// maxRuleText is the length in bytes of a text up to which it is searched for a rule.
// Longer texts are documents.
const maxRuleText = 4000

// notBase matches words after "always" and "never" that are no verb of an instruction.
const notBase = `mind|heard|been|had|thought|knew|saw|seen|again|a|an|the|this|that|these|so|too|very|really|quite|just|in|on|at|for|with|from|there|here|worth|happy|glad|good|nice|great|fun|interesting|important|possible|easy|hard|ready|open|nervous|excited|proud|tired|busy|warm|cold|late|early|my|your|his|her|our|their|i|you|he|she|it|we|they|and|or|but|not|more|less|loved|wanted|liked|enjoyed|hoped|dreamed|felt|got|went|came|did|was|were|is|are|has|have|met|tried|gets|feels|better|best|wrong|right|true|free|one|two|once|ever|even|diese[rsm]?|dieses|wieder|noch|mehr|gut|schön|müde|gleich|im|am|mit|wenn|und|ein|eine|der|die|das|ich|er|sie|es|wir|say`

const lead = `^(?:(?:ok(?:ay)?|and|also|so|but|please|pls|oh|hey|now|remember|reminder|note|important|then)[,:]? )*`

// rules are the statements of rules in force, of any speaker.
var rules = []cue{
	{sure: 0.9, words: []string{"from now on", "ab jetzt", "ab sofort", "ab heute", "künftig", "从现在起", "从今以后", "今后", "从今天起"},
		says: lazyregexp.New(lead + `from now on\b|\bfrom now on$|^(?:ab jetzt|ab sofort|ab heute|künftig|zukünftig)\b|^(?:从现在起|从今以后|今后|从今天起)`),
		not:  lazyregexp.New(`\b(?:can only get|hope|maybe|still|said)\b|还有|\d+(?:天|年)$`)},
	{sure: 0.9, words: []string{"rule", "constraint", "policy", "convention", "regel", "vorgabe", "规则", "约束"},
		says: lazyregexp.New(`^(?:new |hard |house |ground |standing )?(?:rules?|constraints?|policy|conventions?|regel|vorgabe|standing instruction|规则|约束)[*_]*\s*[:：]\s*[*_]*\S`)},
	{sure: 0.7, words: []string{" must ", " must not", "mustn't", "muss", "müssen", "dürfen", "必须", "禁止", "不得"},
		says: lazyregexp.New(`^(?:all|every|each|any|no|the|our|new|tokens?|secrets?|passwords?|api|public|commits?|tests?|logs?|requests?|responses?|services?|releases?|users?)\b[^,;]{0,60}\bmust(?:n't| not| never| always)? (?:be|have (?:an?|at least|no|one|two|exactly|unique)|not|never|always|stay|remain|return|pass|live|use|contain|include|match|run|support|expire|start|end|fit|follow|handle|accept|log|store|keep|work|expose|carry|name)\b|^(?:jede[rs]?|alle|tokens|die|das|der|kein[e]?) .{0,60}\b(?:muss|müssen|darf|dürfen)\b.{0,80}\b(?:sein|werden|haben|gelten|enthalten|bleiben)$|^(?:所有|每个|任何|每次).{0,30}(?:必须|不得|禁止)`),
		not:  lazyregexp.New(`\bmust be (?:a |so |very |really |tired|happy|nice|the |hungry)|\bmust have its\b|\b(?:irrtum|hund)\b|\bthis must\b|\bthe (?:\w+ )?(?:answer|reason|problem) must\b`)},
	{sure: 0.7, words: []string{"merged", "allowed", "without"},
		says: lazyregexp.New(`^no (?:[a-z]+ ){1,4}(?:is|are|gets?|may be|goes|go|can be) (?:[a-z]+ed|into? [a-z]+|in [a-z]+) without\b`)},
}

// instructions are the rules that are instructions.
var instructions = []cue{
	{sure: 0.9, words: []string{"always", "never"},
		says: lazyregexp.New(lead + `(?:(?:you|we|everybody|everyone|the agent|agents|claude) (?:must|should|shall|have to|need to|are to|can|may) |make sure (?:to |that you |you |that we |we )|be sure to |remember to |i(?:'d like| would like| want| need| expect| prefer) (?:you |that you |it if you )?(?:to )?|try to |can you (?:please )?|could you (?:please )?)?(?:please )?(?:always|never|only ever) [a-z][a-z'-]*`)},
	{sure: 0.9, words: []string{"don't ever", "do not ever", "under no circumstances", "at no point"},
		says: lazyregexp.New(lead + `(?:don't|do not) ever [a-z]+|^under no circumstances\b`)},
	{sure: 0.9, words: []string{"when", "if i", "every time", "each time", "anytime", "any time"},
		says: lazyregexp.New(lead + `(?:when(?:ever)?|if|any ?time|every time|each time) i (?:ask|say|mention|request|write|type|talk|inquire)\b[^,]{0,120}, ?(?:then |please |also |you (?:should|must|can) |make sure (?:to |you |that )?|be sure to |i (?:want|need|'d like|expect) (?:you to )?|always |never |only |don't |do not |just )*[a-z]+`),
		not:  lazyregexp.New(`, ?(?:he|she|it|they|there|we|the|my|his|her|everyone|nobody|people|i (?:get|feel|am|was|think|have|had|know))\b`)},
	{sure: 0.8, words: []string{"when", "every time", "each time", "before you", "after you"},
		says: lazyregexp.New(lead + `(?:when(?:ever)?|every time|each time) you (?:write|change|create|add|edit|answer|generate|commit|touch|modify|suggest|rename|review|mention|give|show|use|update|run|explain)\b[^,]{0,80}, ?(?:please |also |always |make sure (?:to |you )?)*(?:use|add|run|write|include|keep|show|give|update|regenerate|check|ask|put|explain|mention|start|end|format|prefer|avoid|follow|tell|cite|list|test|make|name|mark|note|do|don't|never|state|quote|provide|convert|round|highlight|remind)\b`)},
	{sure: 0.8, words: []string{"going forward", "in the future", "in future", "for all future", "for future", "in zukunft", "以后"},
		says: lazyregexp.New(lead + `(?:going forward|in (?:the )?future|for (?:all )?future [a-z]+|for all (?:further|following) [a-z]+), (?:please |always |never |let's |only |you (?:should|must) |we (?:will |should |must )?|i (?:want|'d like) you to )*(?:use|add|run|write|include|keep|show|give|update|check|ask|put|explain|mention|start|end|format|prefer|avoid|follow|tell|cite|list|test|make|skip|answer|respond|reply|do|don't|be|omit|leave|provide|limit|call|name|stick|shorten|assume)\b|^in zukunft,? bitte\b|^bitte in zukunft\b|^(?:以后|未来)(?:请|都|不要|别|一律|统一|必须)`)},
	{sure: 0.7, words: []string{"don't", "do not", "avoid", "only use"},
		says: lazyregexp.New(lead + `(?:(?:as a rule, )?(?:(?:don't|do not) (?:use|add|commit|push|write|delete|change|edit|touch|modify|remove|install|include|log|store|merge|deploy|import|introduce|rename|create|mention|suggest|call|expose|mix)|avoid (?:using|adding)|avoid) .{3,160}\b(?:in this (?:project|repo|repository|codebase|chat|conversation)|in (?:generated|production|test|any|the production) [a-z]+|to generated [a-z]+|without (?:asking|my|a|an|permission)\b|anywhere|in general|unless i|at any time|for this project)|only (?:ever )?use .{3,120}\bin\b)`)},
	{sure: 0.9, words: []string{"immer", "nie", "keinen fall", "wenn ich"},
		says: lazyregexp.New(`^(?:(?:und|also|bitte|ok)[,:]? )*(?:(?:bitte )?(?:immer|niemals|nie|nie wieder) .{2,160}[a-zäöüß]{2,}(?:en|eln|ern)$|[a-zäöüß]+e? (?:bitte )?(?:immer|niemals|nie) .{2,}|du (?:sollst|musst|darfst|solltest) (?:bitte )?(?:immer|niemals|nie)\b|auf keinen fall .{3,}(?:en|eln|ern)$|(?:immer )?wenn ich (?:nach|dich|um|von|über|sage|frage)\b.{0,80}, ?(?:dann )?(?:nenne?|zeige?|antworte|gib|schreibe?|sag|erkläre|verwende|nutze|füge|bitte|liste|mach|denk|erinnere)\b)`),
		not:  lazyregexp.New(`^(?:ich|er|sie|es|wir|ihr|das|der|die|dies|war|ist|sind|bin|hat|habe|haben|hatte|wird|man|immer diese|nie wieder alkohol)\b|\b(?:meine?|unsere?) (?:mutter|kinder)\b`)},
	{sure: 0.9, words: []string{"始终", "总是", "务必", "永远", "切勿", "绝对不", "绝不", "请不要", "不要在", "禁止", "当我", "每次", "每当我", "一律", "一定要"},
		says: lazyregexp.New(`^(?:请|你|你要|你应该|请你)?(?:始终|总是|务必|永远(?:不要|别)?|切勿|绝对不(?:要|能|许)|绝不(?:要|能)?|一律|一定要)\p{Han}|^(?:请)?不要(?:在|把|使用|修改|删除|提交)\P{Han}*\p{Han}{2}|^禁止|^当我(?:问|说|提到|询问|要求).{0,30}，?.{0,4}(?:请|要|就|务必)|^每当我.{1,30}(?:请|要|务必)|^(?:每次|每当).{1,30}(?:都要|都必须|请|必须)`),
		not:  lazyregexp.New(`担心|忘记|难过|^(?:他|她|我)`)},
}

var alwaysWord = lazyregexp.New(`\b(?:always|never|only ever) (?:` + notBase + `)\b`)

// inflected matches a word after "always" or "never" that is no base form.
var inflected = lazyregexp.New(`^` + strings.TrimPrefix(lead, `^`) + `(?:please )?(?:always|never) [a-z]+(?:ing|ed)\b`)

// Rule returns the first rule that text states, or false if there is none. Questions,
// reports about others, quotes and code state none.
func Rule(text string) (StatedRule, bool) {
	if len(text) > maxRuleText {
		return StatedRule{}, false
	}
	for l := range lines(text) {
		if l.code || l.quoted {
			continue
		}
		for s := range sentences(stripMarkers(l.text)) {
			if r, ok := s.rule(); ok {
				return r, true
			}
		}
	}
	return StatedRule{}, false
}

// requested matches a question that asks for a habit: an instruction.
var requested = lazyregexp.New(`^(?:ok(?:ay)?[, ]+)?(?:can|could|would|will) you (?:please )?(?:always |never |.{3,120}\b(?:from now on|in the future|going forward)$)`)

// rule returns the rule that s states, or false.
func (s sentence) rule() (StatedRule, bool) {
	low := strings.TrimRight(strings.ReplaceAll(s.low, "’", "'"), "?？")
	asks := s.isQuestion && requested.MatchString(low)
	if s.text == "" || s.isQuestion && !asks {
		return StatedRule{}, false
	}
	r := StatedRule{Rule: strings.TrimRight(s.text, "?？")}
	for i, cues := range [][]cue{rules, instructions} {
		for _, c := range cues {
			if containsOne(low, c.words...) && (asks || c.says.MatchString(low)) && (c.not == nil || !c.not.MatchString(low)) && !alwaysWord.MatchString(low) && !inflected.MatchString(low) && !notDecided.MatchString(low) {
				r.Confidence, r.Imperative = c.sure, i == 1
				return r, true
			}
		}
	}
	return StatedRule{}, false
}
