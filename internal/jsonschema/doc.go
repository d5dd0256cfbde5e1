// Package jsonschema judges parsed JSON texts by the JSON Schemas of a repository, from
// draft 4 to 2020-12.
//
// A schema and what it refers to are untrusted. They are read by a function of the
// caller: the network is never used, and no file outside of what the caller reads. A
// schema is limited in size, a pattern in length, and a check in the number of its
// steps, so that no schema and no text can make a check run on.
package jsonschema
