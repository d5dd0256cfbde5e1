package schema

// A SessionLine is a session in the index sessions.jsonl, with the content of the
// session's metadata.json.
type SessionLine = SessionMetadata
