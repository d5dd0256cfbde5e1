package brief

// Ways are how the reader of a Brief gets at what is behind it. Agents that have no
// shell have tools instead.
type Ways struct {
	Name  string // of all of them together: "commands"
	All   string // the ways to what a Brief may have no room for
	More  string // to a longer Brief
	Mend  string // to what is wrong in a document
	Begin string // to the first goal and the first decision; "" for none
}

// Commands are the ways of who has a shell.
var Commands = Ways{
	Name:  "commands",
	All:   "forgemind brief --max-tokens N; forgemind decision list --current; forgemind governs PATH; forgemind assemble --query TEXT; forgemind audit",
	More:  "forgemind brief --max-tokens N",
	Mend:  "forgemind validate",
	Begin: "forgemind goal add and forgemind decision add",
}
