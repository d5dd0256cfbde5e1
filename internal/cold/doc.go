// Package cold stores the chunks that left a conversation, so that they can be recovered.
//
// The chunks of one compaction are in one file below cold-storage/, one chunk on each line. The
// file is written once and never changed. Each file has an index below `.local/index/`. A missing,
// stale or damaged index is built again from the chunks. If no index can be written, one is built
// in memory for each query.
//
// # Promises
//
//   - A line that holds no chunk is reported as a Fault and hides no other line.
//   - Verify finds everything else that would keep a chunk from coming back as it
//     left. The id of a chunk follows from its compaction, its line and its message.
//   - A file that expired is moved to the trash. The error for its chunks names the
//     place.
package cold
