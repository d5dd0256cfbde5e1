package brief

// Ways are the commands or tools by which the reader of a Brief gets details. Agents without a
// shell have tools.
type Ways struct {
	Name  string // collective name: "commands"
	All   string // to what a Brief may have no room for
	More  string // to a longer Brief
	Mend  string // to the faults of a document
	Begin string // to the first goal and the first decision; "" for none
}

// Commands are the ways of a reader with a shell.
var Commands = Ways{
	Name:  "commands",
	All:   "forgemind brief --max-tokens N; forgemind decision list --current; forgemind governs PATH; forgemind context --prompt TEXT; forgemind audit",
	More:  "forgemind brief --max-tokens N",
	Mend:  "forgemind validate",
	Begin: "forgemind goal add and forgemind decision add",
}
