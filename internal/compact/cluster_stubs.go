package compact

import "github.com/forgemind/forgemind/schema"

// Clusters groups messages that say similar things, by the words they share:
// lists of indexes into messages, each of more than three, in order; a message
// is in one at most. It takes time in proportion to what messages share words.
func Clusters(messages []schema.Message) [][]int { panic("not built") }

// Gather is the message that stands for a cluster: kind summary, role system,
// extractive, at most 200 tokens by count; its id derives from its members, its
// time is that of the last, and its metadata names them under `cluster`
// ({"members": [ids]}).
func Gather(members []schema.Message, count func(string) int, counter string) schema.Message {
	panic("not built")
}
