package schema

// A SessionLine is one session in the index, sessions.jsonl. It says what the
// session's metadata.json says.
type SessionLine = SessionMetadata
