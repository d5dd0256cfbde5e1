package validate

var displacedSave = Rule{
	Name:     "displaced-save",
	Severity: Warning,
	Summary:  "A save that is not live: its bytes were kept aside.",
	Help: `Somebody saved the document at the moment in which forgemind wrote it, or from bytes
older than its last write. The two could not be joined, so one of them is not live.

Nothing is lost: the bytes are kept where the finding says until somebody removes them,
but nobody will look there unless told.

Wrong: two writers, one of which does not know that its save is gone.

Right: what both wanted, in one document.

To mend it, see what differs with ` + "`forgemind attic show ID --diff`" + `, bring over what is missing
or have ` + "`forgemind attic restore ID`" + ` do so, and drop the entry with ` + "`forgemind attic remove ID`" + `.
` + "`forgemind attic list`" + ` shows the ids.
`,
}
