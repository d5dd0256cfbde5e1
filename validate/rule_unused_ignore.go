package validate

var unusedIgnore = Rule{
	Name:     unusedIgnoreName,
	Severity: Warning,
	Summary:  "An ignore that accepts no finding.",
	Help: `A finding that a team accepts is ignored by an entry of validation.ignore in
config.json, or by a comment in the document: "# forgemind: ignore RULE REASON" in YAML,
"<!-- forgemind: ignore RULE REASON -->" on a line of its own in markdown. A comment is for
its whole document. Ignored findings are counted in every report.

The rule reports an entry or a comment that no finding needs any more, or never needed: the
rule or the path may be misspelled, and what it hides later is not what somebody accepted.

Wrong:

    "ignore": [{"rule": "mojibake", "path": ".forgemind/decisons/*", "reason": "a name"}]

Right:

    "ignore": [{"rule": "mojibake", "path": ".forgemind/decisions/*", "reason": "a name"}]

To mend it, remove the entry or the comment, or correct it.
`,
}
