package compact

import (
	"fmt"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

// BenchmarkMake shows that the time of a message does not hang on how many
// there are.
func BenchmarkMake(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		messages := make([]schema.Message, n)
		for i := range messages {
			m := &messages[i]
			*m = schema.Message{ID: fmt.Sprintf("m%d", i), Timestamp: at(i % (14 * 60)), Role: "assistant", Agent: "BA", Tokens: 30, Counter: "words"}
			m.Content = fmt.Sprintf("I looked at file%d and at table%d and changed what was asked for last week. ", i%977, i) + filler(12)
			switch i % 10 {
			case 0:
				m.Role, m.Agent = "user", "user"
			case 1:
				m.Content += "Is that right?"
			case 2, 3:
				m.Role, m.Agent, m.ToolName = "tool", "Read", "Read"
			case 4:
				m.ToolName, m.Content = "Edit", fmt.Sprintf(`Edit {"file_path":"/repo/file%d.go","new_string":"x"}`, i%977)
			case 5:
				if i%1000 == 5 {
					m.Kind = Decision
				}
			case 6:
				m.Kind = Question
			}
		}
		for _, strategy := range []string{PSD, Adaptive, Relevance} {
			for _, budget := range []int{0, 6 * n} {
				b.Run(fmt.Sprintf("%s/budget=%v/%d", strategy, budget > 0, n), func(b *testing.B) {
					o := options(strategy, 0)
					o.Budget, o.Force = budget, true
					for b.Loop() {
						Make(messages, o)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/message")
				})
			}
		}
	}
}
