// Package cold is dropped chunks kept recoverable: put, list, recover, expire.
//
// The chunks of one compaction stand in one file below cold-storage/, a line
// each, as whole as they left the conversation. A file is written once and never
// changed. What finds the chunks is an index for each file below
// `.local/index/`, which can always be made again from the chunks: a missing,
// stale or damaged one is, and where none can be written one is made in memory
// for each question.
//
// A line that holds no chunk is a Fault and hides no other. Until when a chunk
// is recoverable is said in it, and is nobody's concern here yet.
package cold
