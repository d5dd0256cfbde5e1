package importer

import (
	"slices"
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// The parts of a decision record.
const (
	partStatus       = "status"
	partDate         = "date"
	partMakers       = "makers"
	partContext      = "context"
	partDecision     = "decision"
	partConsequences = "consequences"
	partOptions      = "options"
	partLinks        = "links"
	partReplaces     = "supersedes"
	partReplacedBy   = "superseded-by"
	partTitle        = "title"
	partOther        = "other" // known, and not used
)

// parts maps the headings and labels of decision records to their parts: in English, German, French,
// Spanish, Portuguese, Italian, Russian, Chinese, Japanese and Korean.
var parts = map[string][]string{
	partStatus: {"status", "state", "decision status", "adr status", "stand", "statut", "état", "estado", "situação", "stato", "статус", "состояние", "状态", "狀態", "ステータス", "状態", "状況", "상태"},
	partDate:   {"date", "decision date", "dates", "date decided", "decided on", "created", "last updated", "datum", "date de décision", "fecha", "data", "дата", "日期", "日付", "決定日", "날짜", "일자"},
	partMakers: {"deciders", "decider", "decision makers", "decision maker", "decision-makers", "decision-maker", "decided by", "author", "authors", "author(s)", "owner", "owners", "approvers", "entscheider", "entscheidungsträger", "autor", //nolint:misspell // German
		"autoren", "décideurs", "auteur", "auteurs", "decisores", "responsables", "autores", "responsáveis", "autori", "decisori", "авторы", "автор", "принимающие решение", "决策者", "決策者", "作者", "决定者", "決定者", "意思決定者", "著者", "결정자", "작성자"},
	partContext: {"context", "context and problem statement", "context and problem", "problem", "problem statement", "background", "issue", "motivation", "the problem", "summary", "kontext", "kontext und problemstellung", "problemstellung", "hintergrund",
		"contexte", "contexte et problématique", "contexte et énoncé du problème", "problématique", "contexto", "contexto y planteamiento del problema", "contexto y problema", "contexto e problema", "contexto e declaração do problema", "contexto e enunciado do problema", "contesto", "contesto e problema", "problema", "контекст", "контекст и постановка проблемы", "проблема",
		"背景", "上下文", "问题", "背景和问题陈述", "背景与问题陈述", "背景与问题", "背景和问题", "上下文和问题陈述", "情境", "問題", "コンテキスト", "コンテキストと課題", "コンテキストと問題", "コンテキストと問題提起", "文脈", "背景と課題", "背景と問題", "課題", "배경", "맥락", "컨텍스트", "문제"},
	partDecision: {"decision", "decisions", "decision outcome", "the decision", "outcome", "resolution", "solution", "proposal", "proposed decision", "chosen option", "our decision", "entscheidung", "entscheidungsergebnis", "beschluss", "ergebnis", "ergebnis der entscheidung",
		"décision", "résultat de la décision", "résultat", "decisión", "resultado de la decisión", "decisão", "resultado da decisão", "decisione", "esito della decisione", "решение", "результат решения", "принятое решение",
		"决策", "决定", "決策", "決定", "决策结果", "决策结论", "決策結果", "决策成果", "方案", "決定事項", "決定内容", "決定の結果", "決定結果", "意思決定", "결정", "결정 결과", "결정 사항"},
	partConsequences: {"consequences", "consequence", "impact", "implications", "results", "positive consequences", "negative consequences", "risks", "trade-offs", "tradeoffs", "konsequenzen", "folgen", "auswirkungen", "positive konsequenzen", "negative konsequenzen", "positive folgen", "negative folgen", "conséquences", "conséquences positives",
		"conséquences négatives", "impacts", "consecuencias", "consecuencias positivas", "consecuencias negativas", "impacto", "consequências", "consequências positivas", "consequências negativas", "conseguenze", "conseguenze positive", "conseguenze negative", "последствия", "следствия", "положительные последствия", "отрицательные последствия", "后果", "影响", "結果", "结果", "後果", "影響", "积极影响", "消极影响", "积极后果", "消极后果", "正面后果", "负面后果", "正面影响", "负面影响", "ポジティブな結果", "ネガティブな結果", "良い影響", "悪い影響", "結果と影響", "결과", "영향"},
	partOptions: {"considered options", "options considered", "options", "alternatives", "alternatives considered", "considered alternatives", "options and alternatives", "rejected alternatives", "other options considered", "betrachtete optionen", "optionen", "alternativen", "betrachtete alternativen", "erwogene optionen", "geprüfte alternativen", "options envisagées", "options considérées", "alternatives envisagées", "alternatives considérées",
		"opciones consideradas", "opciones", "alternativas", "alternativas consideradas", "opções consideradas", "opções", "opzioni considerate", "opzioni", "alternative", "рассмотренные варианты", "варианты", "альтернативы", "рассматриваемые варианты", "考虑的选项", "备选方案", "候选方案", "可选方案", "考虑的方案", "選項", "考慮的選項", "考虑过的方案", "考虑过的选项", "検討した選択肢", "検討された選択肢", "選択肢", "代替案", "検討した代替案", "考慮した選択肢", "고려한 옵션", "고려된 옵션", "대안", "고려된 대안"},
	partLinks:      {"links", "more information", "related", "related decisions", "references", "see also", "related adrs", "relations", "relates to", "verweise", "weitere informationen", "liens", "enlaces", "referencias", "ligações", "referências", "collegamenti", "ссылки", "链接", "相关链接", "更多信息", "連結", "リンク", "関連", "関連リンク", "링크"},
	partReplaces:   {"supersedes", "supercedes", "supersede", "superseding", "replaces", "replacing", "ersetzt", "löst ab", "remplace", "reemplaza", "reemplaza a", "sustituye", "sustituye a", "substitui", "sostituisce", "заменяет", "取代", "替代", "替换", "置き換える", "置換対象", "대체"},
	partReplacedBy: {"superseded by", "superseded-by", "supersededby", "superseded_by", "superceded by", "replaced by", "replaced-by", "replaced_by", "ersetzt durch", "abgelöst durch", "remplacé par", "remplacée par", "reemplazado por", "reemplazada por", "sustituido por", "sustituida por", "substituído por", "substituída por", "sostituito da", "superato da", "заменено", "被取代", "取代者", "置き換え先", "後継", "대체됨"},
	partTitle:      {"title", "titel", "titre", "título", "titolo", "标题", "標題", "タイトル"},
	partOther:      {"decision drivers", "technical story", "tags", "pros and cons of the options", "confirmation", "validation", "consulted", "informed", "compliance", "notes", "entscheidungstreiber", "facteurs de décision", "id", "version", "category", "type", "jira", "ticket", "issue link", "name", "stakeholders", "argument", "assumptions", "constraints", "positions"},
}

// partOf maps a heading or a label to its part.
var partOf = func() map[string]string {
	all := map[string]string{}
	for part, names := range parts {
		for _, name := range names {
			all[name] = part
		}
	}
	return all
}()

var (
	headingNumber = lazyregexp.New(`^(?:[\d]+(?:\.\d+)*[.)]?|[IVX]+\.)\s+`)
	bracketed     = lazyregexp.New(`\s*[(（][^()（）]*[)）]`)
)

// partNamed returns the part that a heading or a label names; "" if it names none.
func partNamed(s string) string {
	s = strings.TrimFunc(strings.ToLower(plain(s)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '(' && r != ')' && r != '（' && r != '）'
	})
	if part := partOf[s]; part != "" {
		return part
	}
	s = strings.TrimFunc(bracketed.ReplaceAllString(headingNumber.ReplaceAllString(s, ""), ""), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if part := partOf[s]; part != "" {
		return part
	}
	for _, sep := range []string{" / ", "/", " & ", " | "} { // headings in two languages, such as "Context / 背景"
		if first, second, found := strings.Cut(s, sep); found {
			if part := partOf[strings.TrimSpace(first)]; part != "" {
				return part
			}
			if part := partOf[strings.TrimSpace(second)]; part != "" {
				return part
			}
		}
	}
	return ""
}

// A statusWord is the beginning of a clause that names a status.
type statusWord struct {
	status string
	words  []string
}

// statusWords lists the words of statuses. Of several statuses of one record the first in this list
// counts.
var statusWords = []statusWord{
	{Superseded, []string{"superseded", "superceded", "superseeded", "supersed by", "replaced", "ersetzt durch", "abgelöst", "überholt", "remplacé", "remplacée", "supplanté", "reemplazad", "sustituid", "substituíd", "substituid", "superad", "sostituit", "замен", "被取代", "已被取代", "已取代", "被替代", "已被替代", "已替代", "已被", "被", "置き換えられ", "置換済", "置き換え済", "대체됨", "대체"}},
	{Rejected, []string{"reject", "declined", "withdrawn", "abandoned", "cancelled", "canceled", "won't do", "wontfix", "not accepted", "not approved", "closed", "denied", "refused", "abgelehnt", "verworfen", "zurückgezogen", "rejeté", "rejetée", "refusé", "abandonné", "rechazad", "rejeitad", "recusad", "rifiutat", "respint", "отклон", "отверг", "已拒绝", "拒绝", "已否决", "否决", "已拒絕", "拒絕", "却下", "拒否", "不採用", "棄却", "거부", "기각", "거절"}},
	{Deprecated, []string{"deprecated", "obsolete", "retired", "outdated", "no longer", "discontinued", "archived", "expired", "veraltet", "obsolet", "außer kraft", "obsolète", "déprécié", "dépréciée", "obsolet", "en desuso", "depreciad", "deprecad", "descontinuad", "deprecat", "устарел", "已弃用", "弃用", "已废弃", "废弃", "已棄用", "棄用", "已廢棄", "已过时", "过时", "非推奨", "廃止", "사용 중단", "폐기"}},
	{Accepted, []string{"accepted", "accept", "approved", "agreed", "adopted", "decided", "implemented", "done", "final", "active", "in effect", "in force", "ratified", "complete", "current", "valid", "confirmed", "in use", "enacted", "signed off", "resolved", "akzeptiert", "angenommen", "entschieden", "beschlossen", "genehmigt", "gültig", "umgesetzt", "accepté", "acceptée", "adopté", "adoptée", "approuvé", "validé", "validée", "décidé", "aceptad", "aprobad", "adoptad", "vigente", "decidid", "aceit", "aprovad", "implementad", "accettat", "approvat", "adottat", "принят", "утвержден", "утверждён", "одобрен", "已接受", "接受", "已采纳", "采纳", "已采用", "采用", "已通过", "通过", "已批准", "批准", "生效", "已生效", "已决定", "已实施", "已採納", "已採用", "已通過", "承認", "採用", "受理", "決定", "受け入れ", "受入", "合意", "有効", "승인", "수락", "채택", "결정", "확정"}},
	{Proposed, []string{"propos", "draft", "pending", "in review", "under review", "review", "in discussion", "under discussion", "discussion", "discussing", "open", "rfc", "wip", "work in progress", "in progress", "todo", "tbd", "undecided", "on hold", "deferred", "postponed", "idea", "new", "request for comments", "experimental", "trial", "vorgeschlagen", "vorschlag", "entwurf", "offen", "in diskussion", "in arbeit", "brouillon", "en cours", "en discussion", "borrador", "pendiente", "en revisión", "en discusión", "rascunho", "pendente", "em discussão", "em revisão", "bozza", "in attesa", "предлож", "черновик", "на рассмотрении", "обсужд", "提议", "已提议", "提案", "建议", "草案", "草稿", "待定", "讨论中", "审核中", "评审中", "提出", "已提出", "提議", "草稿", "検討中", "ドラフト", "下書き", "保留", "議論中", "レビュー中", "제안", "초안", "검토"}},
}

// statusNames lists the statuses for messages.
const statusNames = "proposed, accepted, rejected, deprecated or superseded by another record"

var (
	struckOut     = lazyregexp.New(`~~[^~]*~~`)
	clauseEnd     = lazyregexp.New(`[\n.;,。；，、]|\s[-–—]+\s|→|->|=>|\s\|\s`)
	partialWord   = lazyregexp.New(`(?i)part(?:ly|ial|iell)|teilweise|en partie|parcial|parzial|частично|部分|一部|부분|amended|not (?:yet )?superseded`)
	statusLabel   = lazyregexp.New(`^(?:\S+\s+)?[^\s:：]+\s*[:：]\s*`)
	leadingTime   = lazyregexp.New(`^[\[(]?\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[\])]?\s*[:：|-]?\s*`)
	alternatives  = lazyregexp.New(`(?i)\b(?:proposed|accepted|rejected|deprecated|draft)\b[^\n]*[|/,][^\n]*\b(?:accepted|rejected|deprecated|superseded)\b[^\n]*[|/,]`)
	statusInWords = lazyregexp.New(`(?i)\b(superseded|rejected|deprecated|accepted|approved|proposed|draft)\b`)
)

// statusOf returns the status that a text states; "" if it states none. It returns false if the
// text is the line of a template that lists all statuses.
func statusOf(s string) (status string, filled bool) {
	s = struckOut.ReplaceAllString(s, " ")
	if alternatives.FindStringIndex(s) != nil {
		return "", false
	}
	best := len(statusWords)
	for l := range strings.Lines(s) {
		if replacedPhrase.FindStringIndex(l) != nil && partialWord.FindStringIndex(l) == nil {
			return Superseded, true
		}
		for _, clause := range clauseEnd.Split(plain(l), -1) {
			best = min(best, statusRank(clause))
		}
	}
	if best < len(statusWords) {
		return statusWords[best].status, true
	}
	if m := statusInWords.FindStringSubmatch(s); m != nil && len(s) < 200 {
		if partialWord.FindStringIndex(s) != nil && strings.EqualFold(m[1], Superseded) {
			return Accepted, true // the rest of it holds
		}
		if rank := statusRank(m[1]); rank < len(statusWords) {
			return statusWords[rank].status, true
		}
	}
	return "", true
}

// statusRank returns the index in statusWords of the status that a clause begins with, or
// len(statusWords).
func statusRank(clause string) int {
	clause = strings.ToLower(plain(clause))
	for range 2 { // the label, then the date
		clause = strings.TrimLeftFunc(clause, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '[' })
		clause = leadingTime.ReplaceAllString(clause, "")
		if at := statusLabel.FindStringIndex(clause); at != nil && partNamed(clause[:at[1]]) != "" {
			clause = clause[at[1]:]
		}
	}
	clause = strings.TrimLeftFunc(clause, func(r rune) bool { return !unicode.IsLetter(r) })
	partial := partialWord.FindStringIndex(clause) != nil
	for i, w := range statusWords {
		if w.status == Superseded && (partial || !replacedClause(clause)) {
			continue
		}
		if slices.ContainsFunc(w.words, func(word string) bool { return strings.HasPrefix(clause, word) }) {
			return i
		}
	}
	return len(statusWords)
}

// replacedClause reports whether a clause that may begin with a word for a replacement says that the
// record is replaced, and not that it replaces another. In Chinese both begin alike.
func replacedClause(clause string) bool {
	if strings.HasPrefix(clause, "被") || strings.HasPrefix(clause, "已被") {
		return strings.Contains(clause, "取代") || strings.Contains(clause, "替") || strings.Contains(clause, "覆盖")
	}
	return true
}
