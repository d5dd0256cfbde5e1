// Package present gives results the form in which programs read them: one JSON envelope for
// every output, the JSON Schema of each, and the kind of an error. The doors (the command
// line, the protocol server, the dashboard) share it.
package present
