package validate

var irregularFile = Rule{
	Name:     "irregular-file",
	Severity: Error,
	Summary:  "A document that is no plain file, or can't be read.",
	Help: `Where a document should be stands a link, a file with a second name (hard link), a
FIFO, a device or a directory; or the file can't be read.

A link may lead out of the project, a hard link shares its content with a file
elsewhere, and reading a FIFO never ends. None of them is opened.

Wrong:

    current-context.json -> /etc/passwd

Right: a plain file with one name, which its owner may read.

To mend it, replace it by a copy of what it leads to, or remove it; for a file that
can't be read, look at its permissions.
`,
}
