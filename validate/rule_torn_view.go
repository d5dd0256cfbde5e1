package validate

var tornView = Rule{
	Name:     "torn-view",
	Severity: Warning,
	Summary:  "A view that was cut off while it was written.",
	Help: `The State, or the hot context of the active session, is empty or ends where somebody
stopped writing it: the power was cut, the disk was full, or a program was killed.

What it showed of records is not lost, and commands show it. What it held of its own, such
as the file that an agent was in, comes back if this working copy knows what it rendered
last. A program that reads the file itself finds nothing there until then.

Wrong: a current-context.json of no bytes.

Right: what 'forgemind status' shows, in the file.

To mend it, do nothing: the next command that writes renders it.
`,
}

// torn is the finding for a view that views.Torn reports.
func torn(name string, severity severities) []Finding {
	f := Finding{File: name, Line: 1, Column: 1, Column16: 1, Rule: tornView.Name, Severity: severity[ruleIndex(tornView.Name)],
		Message: "the view was cut off while it was written", Hint: "the next command that writes renders it from the records"}
	if f.Severity == Off {
		return nil
	}
	return []Finding{f}
}
