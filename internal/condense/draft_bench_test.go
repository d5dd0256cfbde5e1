package condense

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

// crowd returns a long thread of repeated discussions with different numbers.
func crowd(t testing.TB, n int) []schema.Message {
	t.Helper()
	var lines []string
	for i := 0; len(lines) < n; i++ {
		for _, m := range material {
			lines = append(lines, fmt.Sprintf("%s%d: %s (%d)", m.Agent, i%40, m.Content, i))
		}
		for _, text := range bits {
			if len(text) < 100 && !strings.Contains(text, "ondens") {
				lines = append(lines, fmt.Sprintf("ann: %s In round %d the queue held %d mails and the disk was at %d%%.", text, i, i*37%1000, i%100))
			}
		}
	}
	return said(lines[:n]...)
}

// BenchmarkDraft drafts of 10,000 messages. A second is too much.
func BenchmarkDraft(b *testing.B) {
	messages := crowd(b, 10_000)
	b.ResetTimer()
	for b.Loop() {
		Draft(messages, DraftOptions{})
	}
}
