package session

import (
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Members returns the ids of the messages that m summarizes if it is the summary of a cluster, and
// else none.
func Members(m schema.Message) []string {
	var about struct {
		Cluster struct {
			Members []string `json:"members"`
		} `json:"cluster"`
	}
	if m.Kind != "summary" || len(m.Metadata) == 0 || jsonedit.Decode(m.Metadata, &about) != nil {
		return nil
	}
	return about.Cluster.Members
}

// SummarizedIDs returns the ids of all messages that summaries of clusters replace.
func SummarizedIDs(messages []schema.Message) map[string]bool {
	gathered := map[string]bool{}
	for _, m := range messages {
		for _, id := range Members(m) {
			gathered[id] = true
		}
	}
	return gathered
}
