// Package cold is dropped chunks kept recoverable: put, list, recover, expire.
//
// The chunks of one compaction stand in one file below cold-storage/, a line
// each, as whole as they left the conversation. What finds them is an index
// below `.local/index/`, which can always be made again from the chunks.
package cold
