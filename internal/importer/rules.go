package importer

import (
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
)

// rulePlaces returns the instruction files and the folders of them in a tree.
func rulePlaces(r fs.Reader) []string {
	return existing("CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules", "AGENTS.md", "GEMINI.md", ".cursorrules", ".cursor/rules",
		".github/copilot-instructions.md", ".github/instructions", ".windsurfrules", ".clinerules")(r)
}

// isRules reports whether a file of a folder of rules is one.
func isRules(name string) bool { return isMarkdown(name) || path.Ext(name) == ".mdc" }

// maxDepth is the number of files in a chain of imports, as in Claude Code.
const maxDepth = 5

var (
	ownBlock  = lazyregexp.New(`(?ms)^<!-- forgemind:begin[^\n]*-->.*?^<!-- forgemind:end -->`)
	fileNamed = lazyregexp.New(`(?:^|\s)@([^\s,;:)\]"']+)`)
	inCode    = lazyregexp.New("`[^`]*`")

	strongRule = lazyregexp.New(`(?i)\b(?:must|never|always|shall|don['’]t|do not|does not belong|make sure|ensure|required|mandatory|forbidden|prohibited|not allowed|cannot|may not|no exceptions|under no circumstances|muss|müssen|nie|niemals|immer|darf nicht|dürfen nicht|toujours|jamais|doit|doivent|ne pas|interdit|siempre|nunca|jamás|debe|deben|prohibido|sempre|deve|devem|proibido)\b|必须|必須|务必|不要|不得|禁止|严禁|不能|总是|始终|永远|应该|必ず|してはいけない|してはならない|しないでください|してください|べき|しないこと|すること`)
	weakRule   = lazyregexp.New(`(?i)\b(?:should|shouldn['’]t|prefer|preferred|avoid|only|instead of|rather than|at least|at most|no more than|sollte[n]?|vermeide[n]?|bevorzug\w*|nur|éviter|évitez|préfér\w+|uniquement|evit\w+|prefier\w*|prefir\w*|solo|apenas)\b|避免|优先|优先使用|只能|仅|尽量|避け|優先|のみ`)
	ruleStart  = lazyregexp.New(`(?i)^(?:please |important[:!]? |note[:!]? )?(?:use|follow|keep|write|run|add|put|place|name|document|test|check|validate|handle|return|wrap|log|commit|create|update|include|exclude|remove|delete|import|export|define|declare|implement|maintain|store|read|treat|apply|limit|leave|ask|stop|start|set|mark|format|verify|review|respect|stick|favor|favour|minimi[sz]e|maximi[sz]e|separate|split|group|order|sort|cover|mock|cache|pin|require|refer|consult|match|mirror|preserve|propagate|pass|provide|push|rebase|squash|release|tag|type|explain|describe|think|plan|work|make|do|let|be|try|get|give|go|no|not|stay|skip|reuse|extract|inline|escape|sanitize|encrypt|authenticate|authorize|consider|assume|expect|build|deploy|configure|enable|disable|install|lint|fix|resolve|rename|move|copy|open|close|call|inject|catch|throw|raise|fail|emit|render|nest|align|indent|capitalize|prefix|suffix|bump|merge|branch|sign|link|cite|quote|report|tell|say|answer|respond|reply|summarize|structure|organi[sz]e|design|model|annotate|comment|verwende[nt]?|nutze[nt]?|benutze[nt]?|schreibe[nt]?|halte[nt]?|folge[nt]?|prüfe[nt]?|führe|utilise[rz]?|utilisez|écri(?:re|vez|s)|respect(?:er?|ez)|suivez|suivre|usar?|utiliza[r]?|escrib[ea]|sigue|mantener|mantén|utilize|escreva|siga|mantenha)\b|^(?:使用|遵循|保持|编写|采用|确保|请|所有)|使用する$|する$|こと$`)
	ruleTitle  = lazyregexp.New(`(?i)\b(?:rules?|guidelines?|conventions?|constraints?|style|standards?|principles?|polic(?:y|ies)|requirements?|practices?|do(?:s|n['’]ts)?|must|never|always|regeln?|richtlinien|konventionen|règles?|conventions|reglas?|normas?|regras?|convenções|convenciones)\b|规则|规范|约定|约束|原则|ルール|規約|規則|方針|원칙|규칙`)
	described  = lazyregexp.New("^(?:\\*\\*)?`[^`]+`(?:\\*\\*)?\\s*(?:[-–—:：]|\\(|$)|^(?:\\*\\*)?\\[[^\\]]+\\]\\([^)]+\\)(?:\\*\\*)?\\s*(?:[-–—:：]|$)")
)

// readRules reads the rules of instruction files and of the files that they import with @. read reads
// a file of the project. It returns all files that were read.
func readRules(files []File, read func(name string) ([]byte, error), res *Result) []File {
	seen := map[string]bool{}
	for _, f := range files {
		seen[f.Name] = true
	}
	depth := map[string]int{}
	for i := 0; i < len(files) && i < maxFiles; i++ {
		f := files[i]
		f.Src = ownBlock.ReplaceAllFunc(f.Src, func(block []byte) []byte { return []byte(strings.Repeat("\n", strings.Count(string(block), "\n"))) })
		p := readPage(f.Src)
		if p.frontErr != nil {
			res.problem(f.Name, 2, "the front matter is not understood: "+p.frontErr.Error(), "")
		}
		takeRules(f.Name, p, res)
		for _, l := range importLines(f.Name, p) {
			name, ok := l.resolve(f.Name, res)
			if !ok || seen[name] {
				continue
			}
			src, err := read(name)
			switch {
			case err != nil && path.Ext(name) == "" && !strings.Contains(l.text, "/"):
				continue // somebody is mentioned
			case err != nil:
				res.problem(f.Name, l.at, text.Limit(text.Line(name), 200)+", which it imports, cannot be read", "an import is relative to the file that names it")
				continue
			case depth[f.Name] >= maxDepth:
				res.problem(f.Name, l.at, "files import each other more than 5 deep", "")
				continue
			}
			seen[name] = true
			files = append(files, File{name, src})
			depth[name] = depth[f.Name] + 1
		}
	}
	return files
}

// importLines returns the names after @ in a file whose program reads imports.
func importLines(file string, p page) (all []line) {
	switch path.Ext(file) {
	case ".mdc", ".cursorrules", ".windsurfrules", ".clinerules":
		return nil
	}
	for _, s := range p.sections {
		for _, l := range s.lines {
			if l.code {
				continue
			}
			for _, m := range fileNamed.FindAllStringSubmatch(inCode.ReplaceAllString(l.text, ""), 20) {
				all = append(all, line{l.at, strings.TrimRight(m[1], ".!?"), false})
			}
		}
	}
	return all
}

// resolve returns the name of the file that a line of file imports. It reports files outside of the
// project.
func (l line) resolve(file string, res *Result) (string, bool) {
	outside := strings.HasPrefix(l.text, "~") || strings.HasPrefix(l.text, "/")
	name := path.Join(path.Dir(file), l.text)
	if outside || name == ".." || strings.HasPrefix(name, "../") {
		if strings.Contains(l.text, "/") {
			res.problem(file, l.at, text.Limit(text.Line(l.text), 200)+" is outside of the project; it is not read", "")
		}
		return "", false
	}
	return name, !strings.Contains(name, "\\") && !fs.IsHome(name)
}

// takeRules takes the rules of a file: list items and sentences that say what must be done.
func takeRules(file string, p page, res *Result) {
	files := globsOf(p.front)
	seen := map[string]bool{}
	left := 0
	take := func(at int, said string) {
		if said = text.Limit(text.Line(said), maxEntry*2); seen[said] {
			return
		}
		seen[said] = true
		res.add(Item{Kind: Constraint, Text: said, Files: files, Source: Source{Format: Rules, File: file, Line: at}}, file+"\n"+said)
	}
	for _, s := range p.sections {
		leads := map[int]string{}
		of := ruleTitle.FindStringIndex(s.title) != nil
		for _, b := range bullets(s.lines) {
			said := plain(b.text)
			for indent := range leads {
				if indent >= b.indent {
					delete(leads, indent)
				}
			}
			if strings.HasSuffix(said, ":") || strings.HasSuffix(said, "：") {
				leads[b.indent] = said
				continue
			}
			lead, near := "", -1
			for indent, text := range leads {
				if indent > near {
					lead, near = text+" ", indent
				}
			}
			if isRule(b.text, said, of) || lead != "" && isRule(lead, lead, of) {
				take(b.at, lead+said)
			} else {
				left++
			}
		}
		for _, b := range paragraphs(s.lines) {
			for _, sentence := range text.Sentences(plain(b.text)) {
				if strongRule.FindStringIndex(sentence) != nil && !strings.HasSuffix(sentence, "?") && !strings.HasSuffix(sentence, ":") {
					take(b.at, sentence)
				}
			}
		}
	}
	if left > 0 {
		res.problem(file, 0, text.Count(left, "list item")+" that state no rule were left out", "'forgemind constraint add' adds what is one")
	}
}

// isRule reports whether a list item is a rule. raw is the item with its markup.
func isRule(raw, said string, underRules bool) bool {
	switch {
	case strings.HasSuffix(said, "?") || len(strings.Fields(said)) < 2 && len([]rune(said)) < 4:
		return false
	case strongRule.FindStringIndex(said) != nil:
		return true
	case described.FindStringIndex(raw) != nil:
		return false
	case ruleStart.FindStringIndex(said) != nil || weakRule.FindStringIndex(said) != nil:
		return true
	}
	if _, rest, ok := strings.Cut(said, ": "); ok && (ruleStart.FindStringIndex(rest) != nil || underRules) {
		return true
	}
	return underRules && len(strings.Fields(said)) >= 3
}

// globsOf returns the patterns of files in the front matter of a rule.
func globsOf(front map[string]any) (all []string) {
	for _, key := range []string{"globs", "applyTo", "paths"} {
		for _, value := range frontTexts(front[key]) {
			for glob := range strings.SplitSeq(value, ",") {
				if glob = strings.TrimSpace(glob); glob != "" && glob != "**" && glob != "*" && !slices.Contains(all, glob) && len(all) < maxEntries {
					all = append(all, glob)
				}
			}
		}
	}
	return all
}
