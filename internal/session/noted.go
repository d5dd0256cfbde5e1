package session

import (
	"strings"

	"github.com/forgemind/forgemind/internal/secret"
)

// maxNoted is how much of a prompt is kept, in characters.
const maxNoted = 2000

// Noted is a prompt as logs and chunks keep it: without secrets, and cut. It is cut
// last, for half a secret is not known for one.
func Noted(prompt string) string {
	text, _ := secret.Mask(strings.ToValidUTF8(prompt, "\ufffd"))
	if r := []rune(text); len(r) > maxNoted {
		return string(r[:maxNoted-1]) + "…"
	}
	return text
}
