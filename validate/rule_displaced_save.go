package validate

var displacedSave = Rule{
	Name:     "displaced-save",
	Severity: Warning,
	Summary:  "A save that is not live: its bytes were kept aside.",
	Help: `Somebody saved the document at the moment in which forgemind wrote it, or from bytes
older than its last write. The two could not be joined, so one of them is not live.

Nothing is lost: the bytes are kept where the finding says, for at least seven days,
but nobody will look there unless told.

Wrong: two writers, one of which does not know that its save is gone.

Right: what both wanted, in one document.

To mend it, compare the kept bytes with the document, bring over what is missing, and
remove the kept file.
`,
}
