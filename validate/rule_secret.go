package validate

import (
	"bytes"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
)

var secretRule = Rule{
	Name:     "secret",
	Severity: Warning,
	Summary:  "A key, token or password in a document.",
	Help: `A document holds what looks like a secret: a key or token of a well-known shape, a
private key, a password in a URL, or a random value that is given to a name such as
password or api_key. The finding names its kind and its place, never the secret.

Documents are committed, pushed and given to agents: who can read them can use the
secret. forgemind masks what its own commands add, as [masked:github-token]. This one
was written by a person or by another program.

Wrong:

    "decision": "The job signs in with password=hunter2"

Right:

    "decision": "The job signs in with the password in the variable DB_PASSWORD"

To mend it, revoke the secret where it was issued and issue another one, then replace
it in the document. Removing it is not enough once it was committed: the history of git
keeps it, in every clone. A recorded decision is immutable: supersede it, and rewrite
the history of git if the secret cannot be revoked.

If it is no secret but an example, write a placeholder: YOUR_API_KEY, <password>, xxxx.
`,
	whole: func(d *document) {
		if d.form == formText {
			secretsInText(d, d.src)
		}
	},
	record: func(d *document) {
		if !d.parsed() {
			secretsInText(d, d.src[d.base:d.base+d.size])
			return
		}
		screen := secret.NewScreen(d.tape.Src)
		for i := range d.tape.Nodes {
			node := &d.tape.Nodes[i]
			if node.KeyEnd-node.KeyStart >= longName && secret.Possible(d.tape.Src[node.KeyStart:node.KeyEnd]) {
				secretsInName(d, i)
			}
			if node.Kind == jsonedit.String && node.End-node.Start >= shortSecret {
				var name []byte
				if node.KeyEnd > 0 {
					name = d.tape.Src[node.KeyStart+1 : node.KeyEnd-1]
				}
				if screen.Possible(name, d.tape.Src[node.Start+1:node.End-1]) {
					secretsInValue(d, i)
				}
			}
		}
	},
}

// Lengths in bytes, including quotes.
const (
	longName    = 22 // a member name that may contain a secret
	shortSecret = 8  // a string that may contain one
)

const secretHint = "revoke it where it was issued, then replace it here; the history of git keeps what was committed"

func secretsInText(d *document, text []byte) {
	if !secret.Possible(text) {
		return
	}
	for _, found := range secret.Find(string(text)) {
		d.report(found.Start, "", secretMessage(found), secretHint)
	}
}

// secretsInValue reports the secrets in a string, at the start of the string if it
// contains escapes.
func secretsInValue(d *document, node int) {
	start := int(d.tape.Nodes[node].Start)
	raw := d.text(node)
	for _, found := range secret.FindValue(d.tape.Key(node), d.str(node)) {
		offset := start
		if bytes.IndexByte(raw, '\\') < 0 {
			offset += 1 + found.Start
		}
		d.report(offset, secretPointer(d, node), secretMessage(found), secretHint)
	}
}

func secretsInName(d *document, node int) {
	for _, found := range secret.Find(d.tape.Key(node)) {
		n := &d.tape.Nodes[node]
		d.report(int(n.KeyStart), secretPointer(d, int(n.Parent)), secretMessage(found), secretHint)
	}
}

// secretPointer returns the pointer of a node, "" if the pointer would contain a
// secret.
func secretPointer(d *document, node int) string {
	pointer := d.tape.Pointer(node)
	for name := range strings.SplitSeq(pointer, "/") {
		if len(secret.Find(name)) > 0 {
			return ""
		}
	}
	return pointer
}

func secretMessage(found secret.Found) string { return "found a secret: " + found.Kind }
