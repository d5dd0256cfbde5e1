package session

import (
	"strings"

	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/text"
)

// maxNoted is the length to which a prompt is cut, in characters.
const maxNoted = 2000

// LogPrompt returns a prompt for logs and chunks: secrets are masked first, because half a secret would
// not be recognized, and then it is cut.
func LogPrompt(prompt string) string {
	masked, _ := secret.Mask(strings.ToValidUTF8(prompt, "\ufffd"))
	return text.Limit(masked, maxNoted)
}
