package session

import (
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Members are the ids of the messages that m stands for, where it is the summary
// of a cluster; none where it is another message.
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

// Gathered are the ids of the messages that summaries of clusters stand for.
func Gathered(messages []schema.Message) map[string]bool {
	gathered := map[string]bool{}
	for _, m := range messages {
		for _, id := range Members(m) {
			gathered[id] = true
		}
	}
	return gathered
}
