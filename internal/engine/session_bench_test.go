package engine_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A process adds one message to a session, with a thousand other sessions and an archive of
// 100,000 messages.
func BenchmarkSay(b *testing.B) {
	lines := func(prefix string, from, to int) string {
		var text strings.Builder
		for n := from; n < to; n++ {
			fmt.Fprintf(&text, `{"msg_id":"%s-%d","timestamp":"2026-03-02T%02d:%02d:%02d.000Z","agent":"user","role":"user","content":"row %d of the orchard is pruned as of %x","importance":0.5,"tokens":20,"counter":"o200k_base"}`+"\n",
				prefix, n, n/3600%9, n/60%60, n%60, n, n*7919)
		}
		return text.String()
	}
	plant := func(b *testing.B, root, id string) {
		documents, err := session.New(id, morning)
		if err != nil {
			b.Fatal(err)
		}
		for name, text := range documents {
			write(b, root, name, string(text))
		}
	}
	for _, scene := range []struct {
		name              string
		sessions, archive int
	}{{"alone", 0, 0}, {"1000 sessions", 1000, 0}, {"100000 archived", 0, 100_000}} {
		b.Run(scene.name, func(b *testing.B) {
			root := b.TempDir()
			for n := range scene.sessions {
				id := fmt.Sprintf("conv-%04d", n)
				plant(b, root, id)
				write(b, root, session.ArchiveFile(id), lines(id, 0, 80))
				write(b, root, session.Window(id), lines(id, 80, 100))
			}
			plant(b, root, "conv-1")
			if scene.archive > 0 {
				write(b, root, session.ArchiveFile("conv-1"), lines("a", 0, scene.archive))
				write(b, root, ".forgemind/config.json", `{"compaction":{"policy":"quaid","thresholds":{"summary_messages":1000000,"cluster_messages":1000000,"archive_messages":1000000,"emergency":99}}}`)
			}
			say := func(text string) {
				tree, err := engine.Open(root, engine.Edge{Now: func() (t time.Time) { return morning }, Random: rand.Reader})
				if err != nil {
					b.Fatal(err)
				}
				defer tree.Close()
				if _, _, err := tree.Say(context.Background(), []schema.Message{{Content: text, Agent: "user"}}); err != nil {
					b.Fatal(err)
				}
			}
			say("we begin")
			for b.Loop() {
				say("the walls are painted")
			}
		})
	}
}
