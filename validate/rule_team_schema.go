package validate

var teamSchema = Rule{
	Name:     "team-schema",
	Severity: Error,
	Summary:  "A value that a JSON Schema of the team does not admit.",
	Help: `The config.json of the tree names JSON Schemas of the repository, and the documents that
they judge in addition to forgemind's own:

    {"validation": {"schemas": [{"match": ".forgemind/decisions/*", "schema": "schemas/decision.json"}]}}

Both paths are relative to the project directory; match is a pattern. Drafts 4, 6, 7, 2019-09
and 2020-12 are understood, as "$schema" says, 2020-12 without it. Formats are checked. Of a
JSONL document each line is judged. Commands refuse to write what a schema does not admit.
If a schema requires alternatives:

Wrong:

    { "id": "DEC-001", "decision": "Use Go" }

Right:

    { "id": "DEC-001", "decision": "Use Go", "alternatives": ["Rust"] }

To mend it, write what the message says was expected. The hint names the keyword of the
schema and what its description says.
`,
}

var schemaFile = Rule{
	Name:     "schema-file",
	Severity: Error,
	Summary:  "A JSON Schema of the team that cannot be used.",
	Help: `A schema that validation.schemas in config.json names, or a file that it refers to, is
missing, is no JSON Schema, or refers to itself without end. The documents that it is for are
then not judged by it.

"$ref" leads to files of the project by relative paths: "common.json#/$defs/owner". Nothing
is read from the network, and no file outside of the project, nor through a link. An "$id" with
an address of the web makes relative references lead there: leave it out, or refer within
the file only.

Wrong:

    {"$ref": "https://example.com/owner.json"}

Right:

    {"$ref": "owner.json"}

The rule also reports a document for which a schema takes too many steps, or that is larger
than the 1 MiB that is judged. A schema may have 512 KiB, and a pattern 500 instructions.

To mend it, correct the path or the schema.
`,
}
