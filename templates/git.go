package templates

import "embed"

//go:embed git/*.gitattributes
var attributeFiles embed.FS

// GitAttributes returns the .gitattributes for a tree's folder, which is `.forgemind`
// or `.quaid`. It panics for another folder.
func GitAttributes(folder string) []byte {
	text, err := attributeFiles.ReadFile("git/" + folder[1:] + ".gitattributes")
	if err != nil {
		panic(err) // both files are embedded
	}
	return text
}
