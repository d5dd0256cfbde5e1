package templates

import "embed"

//go:embed git/*.gitattributes
var git embed.FS

// GitAttributes returns the .gitattributes of a tree's folder: `.forgemind`
// or `.quaid`.
func GitAttributes(folder string) []byte {
	text, err := git.ReadFile("git/" + folder[1:] + ".gitattributes")
	if err != nil {
		panic(err) // embedded, and there are two folders only
	}
	return text
}
