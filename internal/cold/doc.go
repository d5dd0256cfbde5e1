// Package cold is dropped chunks kept recoverable: put, list, recover, expire.
//
// The chunks of one compaction stand in one file below cold-storage/, a line
// each, as whole as they left the conversation. A file is written once and never
// changed. What finds the chunks is an index for each file below
// `.local/index/`, which can always be made again from the chunks: a missing,
// stale or damaged one is, and where none can be written one is made in memory
// for each question.
//
// A line that holds no chunk is a Fault and hides no other. Verify finds what else
// would keep a chunk from coming back as it left: its id follows from its
// compaction, its line and its message. What is past its time goes to the trash
// as it is, and whoever asks for it hears where it is.
package cold
