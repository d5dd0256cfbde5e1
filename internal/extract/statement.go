package extract

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A cue is a pattern of sentences that state something.
type cue struct {
	sure  float64  // confidence, a ratio
	words []string // every match has one of them, or there are none
	says  *lazyregexp.Regexp
	not   *lazyregexp.Regexp // sentences that match it state nothing; nil for none
	tells bool               // a text with code uses it to explain, not to decide
	named bool               // a name must follow
}

// opening matches what may precede the subject of a sentence that states a decision.
const opening = `^(?:(?:therefore|thus|so|then|hence|finally|consequently|ok(?:ay)?|alright|all right|fine|agreed|sounds good|great|good|yes|yeah|right|well|and|but|i think|as a result|in the end|instead|for now|after [^,]{3,60},?|given [^,]{3,60},|based on [^,]{3,60},|to [^,]{3,80},|because of [^,]{3,60},|for [^,]{3,60},)[,;:]?\s+)*`

// body matches a group of people that decides.
const body = `(?:(?:the|our) (?:(?:steering|working|finance|executive|technical|city|town|school|core|whole|entire|annual|general|review|program|standing|full) )?(?:committee|board|council|panel|team|group|members|membership|trustees|directors|assembly|commission|subcommittee|meeting|jury|participants|attendees|delegates|maintainers|tsc|wg|faculty|senate)|members|everyone|everybody|all (?:members|present|participants)|we(?: all| both)?)`

const adverbs = `(?:(?:also|now|then|finally|both|all|already|jointly|formally|unanimously|eventually|further|ultimately|therefore|has|have|had) )*`

// planVerbs are the verbs of plans that are decisions: "We will adopt X".
const planVerbs = `adopt|deprecate|replace|introduce|standardi[sz]e|migrate|store|persist|encrypt|enforce|implement|support|drop|switch|host|deploy|expose|publish|own|split|define|require|restrict|limit|treat|rely|retire|remove|rename|rewrite|refactor|upgrade|pin|cache|separate|extract|integrate|automate|generate|validate|follow|base|organi[sz]e|maintain|provide|disable|enable|allow|ban|forbid|represent|write|build|create|keep|ship|release|revert|postpone|cancel|merge|raise|cut|hire|sell|stop|stick|accept|reject|structure|isolate|consolidate|document|version`

// cues are the statements of decisions that need no configured phrase.
var cues = []cue{
	{sure: confidenceDecided, words: []string{"decid", "agreed", "resolved", "determined"},
		says: lazyregexp.New(opening + `(?:it (?:was|is|has been) (?:then |also |further |unanimously |therefore )*(?:decided|agreed|resolved|determined) (?:by [a-z ]{3,40} )?(?:that|to|on|not to)\b|` + body + ` ` + adverbs + `(?:decided (?:to|that|on|against|not|in favou?r)|agreed (?:to|that|on|upon)|resolved (?:to|that|not))\b|agreed (?:to|that|on)\b)`),
		not:  lazyregexp.New(`\b(?:decided|agreed|resolved) (?:to|that|on|upon) (?:nothing|disagree)\b`)},
	{sure: confidenceDecided, words: []string{"approved", "adopted", "accepted", "voted", "ratified", "endorsed", "rejected", "selected", "elected", "appointed", "chose", "picked"},
		says: lazyregexp.New(opening + `(?:(?:` + strings.TrimSuffix(strings.TrimPrefix(body, `(?:`), `|we(?: all| both)?)`) + `) ` + adverbs + `(?:approved|adopted|accepted|ratified|endorsed|rejected|selected|elected|appointed|chose|chosen|picked|voted (?:to|for|against|in favou?r|on))\b)`)},
	{sure: confidenceDecided, words: []string{"motion", "amendment", "proposal", "minutes", "budget", "resolution", "agenda", "bylaw", "rfc", "pep", "text", "report", "nomination", "offer", "application", "request"},
		says: lazyregexp.New(`(?:^|, and )(?:the|this|a) (?:[a-z]+ ){0,2}(?:motion|amendment|proposal|minutes|budget|resolution|agenda|bylaws?|rfc|pep|text|report|nomination|offer|application|request)\b(?: (?:to|of|for|that|by) [^,;]{2,60}?)? (?:was|were|is|are|has been|have been) (?:\w+ly )?(?:(?:seconded )?and )?(?:approved|adopted|accepted|carried|passed|ratified|rejected|granted)\b`)},
	{sure: confidenceDecided, words: []string{"motion", "unanimously", "carried"},
		says: lazyregexp.New(`^(?:the )?motion\b.{0,100}\b(?:passed|passes|carried|carries|approved|adopted)\b|\b(?:passed|carried|approved|adopted|accepted|agreed)(?:,)? unanimously\b`)},
	{sure: confidenceDecided, words: []string{"consensus", "agreement"},
		says: lazyregexp.New(`^(?:rough |general |clear )?consensus (?:on|to|that|for|is|was|reached)\b|\b(?:there (?:is|was) |(?:we|the (?:group|team|committee|wg|working group)) (?:have |had |reached |got |came to ))(?:a |an |rough |clear |broad |general )*(?:consensus|agreement) (?:to|on|that|for)\b`)},
	{sure: confidenceDecided, words: []string{"stage"},
		says: lazyregexp.New(`\b(?:advances?|advanced|moves?|moved|promoted|proceeds?) to stage \d|^stage \d(?:\.\d)?(?: (?:reached|achieved|approved|consensus|advancement)\b|$)`)},
	{sure: confidenceDecided, words: []string{"decision", "proposal", "pep", "rfc"},
		says: lazyregexp.New(opening + `(?:(?:the|our|my)(?: final)? decision (?:is|was) (?:to|that|against|for)\b|decision (?:made|taken|reached)\b|this (?:proposal|rfc|pep|change) (?:is|was|has been) (?:accepted|approved|adopted|rejected|declined|withdrawn)\b)`)},
	{sure: confidenceChosen, words: []string{"we", "i've", "i have", "team"},
		says: lazyregexp.New(opening + `(?:(?:we|i|the team|our team)(?:'ve|'re| have| are| had)? ` + adverbs + `(?:opted (?:for|to|against)|landed on|settled on|chosen to|ended up (?:choosing|going with|picking|using))\b|that settles it\b)`)},
	{sure: confidenceChosen, words: []string{"selected", "picked", "chose", "adopted", "went with", "go with", "going with"}, named: true,
		says: lazyregexp.New(opening + `(?:(?:we|the team|our team)(?:'ve| have)? ` + adverbs + `(?:selected|picked|chosen?|adopted|went with)|(?:i|we)(?:'ll| will) (?:just |then )?go with|(?:(?:i'm|i am|we're|we are) )?(?:going to go|going) with) `),
		not:  lazyregexp.New(`\b(?:friends|family|kids|tomorrow|tonight)\b`)},
	{sure: confidenceChosen, words: []string{"reject", "accept", "adopt", "approve", "standardi"},
		says: lazyregexp.New(opening + `we (?:hereby )?(?:reject|accept|adopt|approve|standardi[sz]e on) (?:the|this|a|an|to)\b`)},
	{sure: confidenceChosen, words: []string{"closing"},
		says: lazyregexp.New(opening + `closing (?:(?:this|it|the (?:issue|pr|ticket)) )?(?:as (?:wontfix|won't|duplicate|not planned|not a bug|by design|intended|resolved|out of scope|completed)|in favou?r of)\b`)},
	{sure: confidenceChosen, words: []string{"let's", "let us"},
		says: lazyregexp.New(opening + `let(?:'s| us) (?:then |just )?(?:stick (?:with|to)|drop the|switch to|adopt|ship it|make (?:it|this|that) (?:a |an |the )?(?:optional|mandatory|default|configurable|explicit|required|private|public|\d)|do (?:it|that|this) (?:your|my|his|her|their|the) way|keep (?:the|it at|it as|using|both|to) |go for (?:the|option)|not (?:use|add|support|do)|leave (?:it|that|the \w+) (?:out|as|at)|move to|pick (?:the|option)|choose (?:the|option)|merge (?:it|this|the)|revert)`),
		not:  lazyregexp.New(`\b(?:next (?:item|point|topic)|good work|in touch|spirit|fire|dream|fun|faith)\b`)},
	{sure: confidenceChosen, words: []string{"plan is"},
		says: lazyregexp.New(opening + `the plan is to [a-z]{3,}`), tells: true},
	{sure: confidencePlanned, words: []string{"we will", "we shall", "we are going to", "we're going to", "won't", "we'll", "no longer"}, tells: true,
		says: lazyregexp.New(opening + `we (?:will|shall|are going to|won't|will not be|won't be)(?: not| no longer| now| only| always| initially| therefore| instead)? (?:` + planVerbs + `|using|adding|supporting|changing|shipping|accepting|merging|implementing)\b|` + opening + `we(?:'ll|'re going to) (?:not |no longer |now |only )?(?:adopt|deprecate|drop|replace|switch|migrate|remove|ship|revert|support|standardi[sz]e|require|postpone|cancel|rewrite|stick)\b|` + opening + `we no longer (?:support|accept|use)\b`),
		not:  lazyregexp.New(`\b(?:keep|provide|create|build|write|drop|support|follow|allow) (?:you|me|us|each other|everyone)\b|\b(?:memories|photos|pictures|posted|fun|dinner|together|tomorrow|tonight|sandcastles?|below|following)\b|\b(?:chapter|section|tutorial|example|article|guide|lesson|exercise)\b`)},
}

// germanCues are the statements of decisions in German.
var germanCues = []cue{
	{sure: confidenceDecided, words: []string{"beschl", "entschied", "vereinbart", "genehmigt", "stimmten", "einig", "festgelegt", "billigt", "gewählt"},
		says: lazyregexp.New(`^(?:es|dabei|danach|einstimmig) (?:wurde|ist|wird) (?:einstimmig |mehrheitlich )?(?:beschlossen|entschieden|vereinbart|festgelegt)\b|^(?:der|die|das|alle) (?:[a-zäöüß-]{3,20} )?(?:vorstand|ausschuss|rat|stadtrat|gemeinderat|team|gruppe|mitglieder|versammlung|gremium|kommission|mitgliederversammlung|aufsichtsrat|beirat|runde|teilnehmer|anwesenden)\b.{0,20}\b(?:(?:hat|haben)\b.{0,80}\b(?:beschlossen|entschieden|genehmigt|zugestimmt|gewählt|vereinbart|festgelegt)|beschlossen?|beschloss|entschied(?:en)?|genehmigten?|billigten?|einigten? sich|stimmten? .{2,60}\bzu$)|^man einigte sich\b|^wir (?:einigen|einigten) uns\b`)},
	{sure: confidenceDecided, words: []string{"antrag", "vorschlag"},
		says: lazyregexp.New(`^(?:der|dieser) (?:antrag|vorschlag|haushalt|änderungsantrag)\b.{0,60}\b(?:wurde|wird|ist)\b.{0,60}\b(?:angenommen|abgelehnt|genehmigt|beschlossen|gebilligt)\b`)},
	{sure: confidenceChosen, words: []string{"ich habe mich"},
		says: lazyregexp.New(`^ich habe mich .{0,60}\bentschieden\b|^ich habe mich entschieden\b`)},
	{sure: confidencePlanned, words: []string{"wir", "lass"},
		says: lazyregexp.New(`^(?:(?:ok|gut|also|dann|daher|deshalb|na gut|alles klar|einverstanden),? )*(?:wir (?:verwenden|nutzen|setzen auf|bleiben bei|bleiben beim|wechseln (?:zu|auf)|fahren mit|gehen mit|verzichten auf|stellen .{2,40} um|nehmen (?:den|die|das|[a-z0-9_.-]+$))\b|wir werden .{3,120}\b(?:schreiben|verwenden|nutzen|einführen|ersetzen|abschalten|umstellen|entfernen|verzichten|einsetzen|migrieren|unterstützen|speichern)$|nehmen wir\b|machen wir (?:es|das)\b|lass(?:t)? uns .{2,60}\b(?:nehmen|verwenden|nutzen|behalten|einsetzen)$)`),
		not:  lazyregexp.New(`\b(?:vielleicht|eventuell|sollten|könnten|würden|falls|wenn|ob|an, dass|am|teil|mutter|nacht|schon|bereits|oft|morgen mal)\b`)},
}

// chineseCues are the statements of decisions in Chinese.
var chineseCues = []cue{
	{sure: confidenceDecided, words: []string{"决定", "通过", "同意", "批准", "一致"},
		says: lazyregexp.New(`(?:^|，)(?:经讨论，?)?(?:会议|董事会|委员会|理事会|大会|团队|小组|大家|双方|全体成员|我们|我|股东会)(?:已经|已|最终|经讨论|一致|共同|都|也)*(?:决定(?:了)?|通过了|批准了|批准|一致通过了?|一致同意|同意了|达成一致)`),
		not:  lazyregexp.New(`决定(?:权|不了|不下来|书|性)|考试|隧道|(?:是否|要不要|还没|没有|尚未|未能|并未|无法)`)},
	{sure: confidenceChosen, words: []string{"就这么定", "说定", "说好了", "那就用", "定下来了", "就用"},
		says: lazyregexp.New(`(?:^|，)(?:那)?就(?:这么|这样)定了?|说定了|^说好了|^(?:好，?)?(?:那)?就用|(?:^|，)定下来了`)},
	{sure: confidencePlanned, words: []string{"我们"},
		says: lazyregexp.New(`^我们(?:将|会|最终|统一|都)?(?:采用|使用|改用|选用|选择了?|选定|不再(?:支持|使用)|放弃|用方案|用[A-Za-z])`),
		not:  lazyregexp.New(`也许|可能|或许|应该|建议|是否|如果|过|了.{0,2}年`)},
}

// decisionLabel matches the label of a decision at the start of a line.
var decisionLabel = lazyregexp.New(`^(?:final |our |the )?(?:decisions?|decision outcome|decision made|decision taken|resolved|resolution|agreed|agreement|consensus|conclusion|outcome|verdict|chosen option|selected option|we decided|we agreed|entscheidung|beschluss|beschlossen|vereinbart|gewählte option|ergebnis der abstimmung|决定|决议|结论|最终方案|最终决定)[*_]*\s*[:：]`)

// notLabel matches what follows a decisionLabel where nothing is decided.
var notLabel = lazyregexp.New(`^(?:$|denied|tbd|tba|none\b|n/a|no (?:decision|consensus|agreement)|pending|open\b|deferred|postponed|needed|required|to be|still|unclear|keine\b|offen\b|vertagt|无|待定)`)

// notDecided are the labels of sentences that only propose or plan.
var notDecided = lazyregexp.New(`^(?:counter-?)?(?:proposals?|suggestions?|options?(?: \w{1,3})?|alternatives?|motion|actions?|action items?|todo|to do|next steps?|next|pros?|cons?|questions?|idea|vorschlag|antrag|aktion|frage|建议|提议|待办|问题)[*_]*\s*[:：]`)

// hedge matches sentences that leave open what they say.
var hedge = lazyregexp.New(`\b(?:if|unless|whether|maybe|perhaps|possibly|probably|might|could|would|should|hopefully|suppose|assuming|once|until|in case|not sure|undecided|yet|vielleicht|falls|ob|sollten|noch nicht|noch nichts)\b|如果|是否|也许|可能|还没|尚未|没有|要不要|吗$`)

// agreedTo matches an "agreed" that is no filler.
var agreedTo = lazyregexp.New(`^agreed (?:to|that|on)\b`)

// certain matches words of hedge that leave nothing open.
var certain = lazyregexp.New(`\b(?:until (?:next |the )?[a-z0-9]+|even if|should the|as if|if needed|whether or not)\b|\b(?:that|it|this) (?:would|could|might) .*$|\b(?:because|since|so that|weil)\b.*$|因为.*$`)

// byCue returns the decision that s states by a cue of its language, or false. The text
// with code explains.
func (s sentence) byCue(explains bool) (StatedDecision, bool) {
	if s.isQuestion || s.text == "" {
		return StatedDecision{}, false
	}
	low := strings.ReplaceAll(s.low, "’", "'")
	if m := s.label(low); m != "" {
		rest := strings.TrimLeft(low[len(m):], " *_")
		if notLabel.MatchString(rest) || !strings.ContainsFunc(rest, isLetterOrMask) {
			return StatedDecision{}, false
		}
		d := StatedDecision{Confidence: confidenceDecided, Phrase: strings.TrimSpace(m)}
		_, after, _ := strings.Cut(strings.Replace(s.text, "：", ":", 1), ":")
		d.Decision, d.Rationale = Because(strings.TrimLeft(after, " *_"))
		return d, d.Decision != ""
	}
	if !agreedTo.MatchString(low) {
		low = low[len(filler.FindString(low)):]
	}
	for _, cues := range [][]cue{cues, germanCues, chineseCues} {
		for _, c := range cues {
			if !containsOne(low, c.words...) || c.tells && explains {
				continue
			}
			m := c.says.FindString(low)
			if m == "" || c.not != nil && c.not.MatchString(low) || c.sure < confidenceDecided && isHedged(low) || isHedged(m) {
				continue
			}
			if rest := s.text[max(0, len(s.text)-len(low)+len(m)):]; c.named && !isProperName(rest) && (!strings.HasPrefix(rest, "the ") || goingSomewhere.MatchString(rest)) {
				continue
			}
			d := StatedDecision{Confidence: c.sure, Phrase: strings.TrimSpace(m)}
			d.Decision, d.Rationale = Because(s.text[len(filler.FindString(s.low)):])
			return d, d.Decision != ""
		}
	}
	return StatedDecision{}, false
}

// label returns the label of a decision at the start of s, or "".
func (s sentence) label(low string) string {
	if !containsOne(low, ":", "：") {
		return ""
	}
	return decisionLabel.FindString(low)
}

func isHedged(low string) bool { return hedge.MatchString(certain.ReplaceAllString(low, "")) }

func isLetterOrMask(r rune) bool { return r > ' ' && !strings.ContainsRune("*_.:-", r) }

// A record follows the headings and the status of a decision record.
type record struct {
	decided  bool // the section records the decision
	options  bool // the section lists options
	status   bool // the section is the status
	proposed bool // the record is not decided
}

var (
	recordHeading = lazyregexp.New(`^\s*(?:#{1,6}\s+(.{1,80}?)\s*#*|\*\*([^*]{1,60})\*\*:?)\s*$`)
	decidedPart   = lazyregexp.New(`^(?:\d+[.)]? )?(?:(?:the |our |final )?decision(?: outcome| made)?|conclusion/resolution|resolution|resolved|outcome|entscheidung|entscheid|beschluss|beschlüsse|决定|决策|决议)s?:?$`)
	undecidedPart = lazyregexp.New(`^(?:\d+[.)]? )?(?:considered |possible )?(?:options?|alternatives?|proposals?|pros and cons.*|considered alternatives|options considered|alternatives considered|rejected alternatives|open questions?|drafts?|alternativen|optionen|vorschlag|备选方案|提案)(?: considered)?:?$`)
	recordStatus  = lazyregexp.New(`^(?:status|state|stand|状态)[*_]*\s*[:：]\s*[*_]*(?:proposed|draft|pending|in review|under review|open|rejected|wip|vorgeschlagen|entwurf|提议|草案)\b`)
)

// read takes a line. It reports whether the line is in a section that records the
// decision, and whether it decides nothing: it is a heading, or in a section of options.
func (r *record) read(text string) (decided, nothing bool) {
	text = strings.TrimSpace(text)
	if m := headingOf(text); m != nil {
		title := strings.ToLower(strings.Trim(m[1]+m[2], " *_"))
		decides, proposes := decidedPart.MatchString(title), undecidedPart.MatchString(title)
		if m[1] != "" || decides || proposes {
			r.decided, r.options, r.status = decides, proposes, title == "status"
			return false, decides || proposes || !decisionLabel.MatchString(title)
		}
	}
	if low := strings.ToLower(stripMarkers(text)); r.status && slices.Contains(undecidedStatus, strings.Trim(low, " .*_")) || containsOne(low, "stat", "stand", "状态") && recordStatus.MatchString(low) {
		r.proposed = true
	}
	return r.decided, r.proposed || r.options
}

var undecidedStatus = []string{"proposed", "draft", "pending", "rejected", "in review", "vorgeschlagen", "提议"}

// headingOf returns the match of recordHeading, or nil.
func headingOf(text string) []string {
	if !strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "**") {
		return nil
	}
	return recordHeading.FindStringSubmatch(text)
}
