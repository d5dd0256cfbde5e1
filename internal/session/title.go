package session

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxTitle = 60 // characters
	maxTags  = 8
)

// nouns maps verbs to the nouns that titles use for the work.
func nouns() map[string]string {
	return map[string]string{
		"implement": "Implementation", "refactor": "Refactoring", "migrate": "Migration", "integrate": "Integration",
		"optimize": "Optimization", "optimise": "Optimisation", "test": "Testing", "deploy": "Deployment",
		"document": "Documentation", "investigate": "Investigation", "configure": "Configuration", "validate": "Validation",
		"implementing": "Implementation", "refactoring": "Refactoring", "migrating": "Migration", "integrating": "Integration",
		"optimizing": "Optimization", "optimising": "Optimisation", "testing": "Testing", "deploying": "Deployment",
		"documenting": "Documentation", "investigating": "Investigation", "configuring": "Configuration", "validating": "Validation",
	}
}

// smallWords are words without significance. linkWords are those of them that connect what follows,
// as in "Migration to Postgres".
const (
	linkWords  = "to for from with without in into on onto at by via using after before because so that when while under over through"
	smallWords = linkWords + " a an the and or of our my its their this these as is be it let us"
)

// Title returns the title of a session with that objective, such as "JWT Authentication
// Implementation" for "Implement JWT authentication". An objective with a verb that has no noun is
// its own title, such as "Fix Redis connection". The title is one line of at most 60 characters,
// cut between words.
func Title(objective string) string {
	words := strings.FieldsFunc(strings.ToValidUTF8(objective, " "), func(r rune) bool {
		return !unicode.IsGraphic(r) || unicode.IsSpace(r)
	})
	if len(words) == 0 {
		return ""
	}
	if n := len(words) - 1; strings.TrimRight(words[n], ".!;:,") != "" {
		words[n] = strings.TrimRight(words[n], ".!;:,")
	}
	if title := nominal(words); title != "" && utf8.RuneCountInString(title) <= maxTitle {
		return title
	}
	return cutAtWord(words)
}

// nominal returns a title that names the work with a noun. It returns "" if words do not begin with
// a verb that has one, or have no object.
func nominal(words []string) string {
	noun, ok := nouns()[strings.ToLower(words[0])]
	rest := words[1:]
	for len(rest) > 0 && slices.Contains([]string{"a", "an", "the"}, strings.ToLower(rest[0])) {
		rest = rest[1:]
	}
	if !ok || len(rest) == 0 {
		return ""
	}
	at := slices.IndexFunc(rest, func(word string) bool { return slices.Contains(strings.Fields(linkWords), strings.ToLower(word)) })
	if at == 0 {
		return ""
	}
	if at < 0 {
		at = len(rest)
	}
	title := make([]string, 0, len(words))
	for _, word := range slices.Insert(slices.Clone(rest), at, noun) {
		if !slices.Contains(strings.Fields(smallWords), word) || len(title) == 0 {
			word = inCapitals(word)
		}
		title = append(title, word)
	}
	return strings.Join(title, " ")
}

// inCapitals returns word with a capital first letter. Names of files and words with a capital are
// not changed.
func inCapitals(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	if strings.ContainsAny(word, "./_") || strings.ContainsFunc(word, unicode.IsUpper) {
		return word
	}
	return string(unicode.ToUpper(first)) + word[size:]
}

// cutAtWord joins as many words as fit into a title.
func cutAtWord(words []string) string {
	whole := strings.Join(words, " ")
	letters := []rune(whole)
	if len(letters) <= maxTitle {
		return whole
	}
	cut := string(letters[:maxTitle-1])
	if at := strings.LastIndexByte(cut, ' '); at > 0 && letters[maxTitle-1] != ' ' {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,;:–-") + "…"
}

// Tags returns the search words for a title: "jwt", "authentication", "implementation".
func Tags(title string) []string {
	var tags []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(title), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune("._-+#", r)
	}) {
		word = strings.Trim(word, "._-")
		if utf8.RuneCountInString(word) < 2 || slices.Contains(strings.Fields(smallWords), word) || slices.Contains(tags, word) {
			continue
		}
		if tags = append(tags, word); len(tags) == maxTags {
			break
		}
	}
	return tags
}
