package relevance

import "strings"

// StripDiacritics returns text, which must be in lower case, with ASCII letters in
// place of Latin letters with diacritics and ligatures, such as ae for ä. Other
// characters stay.
func StripDiacritics(text string) string { return diacritics.Replace(text) }

var diacritics = strings.NewReplacer(
	"ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "þ", "th", "ð", "d", "ł", "l", "đ", "d", "ħ", "h", "ı", "i",
	"à", "a", "á", "a", "â", "a", "ã", "a", "å", "a", "ā", "a", "ă", "a", "ą", "a", "ç", "c", "ć", "c", "č", "c", "ď", "d",
	"è", "e", "é", "e", "ê", "e", "ë", "e", "ē", "e", "ė", "e", "ę", "e", "ě", "e", "ğ", "g", "ģ", "g",
	"ì", "i", "í", "i", "î", "i", "ï", "i", "ī", "i", "į", "i", "ķ", "k", "ļ", "l", "ľ", "l", "ñ", "n", "ń", "n", "ň", "n", "ņ", "n",
	"ò", "o", "ó", "o", "ô", "o", "õ", "o", "ő", "o", "ō", "o", "ŕ", "r", "ř", "r", "ś", "s", "š", "s", "ş", "s", "ș", "s", "ť", "t", "ţ", "t", "ț", "t",
	"ù", "u", "ú", "u", "û", "u", "ū", "u", "ů", "u", "ű", "u", "ų", "u", "ý", "y", "ÿ", "y", "ź", "z", "ż", "z", "ž", "z",
)
