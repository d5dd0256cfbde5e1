package recall

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// crowd returns a tree of sessions with the given number of messages of about 200
// bytes, with words as frequent as in real text. Messages left the window not quite in
// order.
func crowd(b *testing.B, sessions, messages int) *fs.Tree {
	tree := newTree(b)
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 5, 30_000)
	start := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	for s := range sessions {
		lines := make([]string, messages)
		var text strings.Builder
		for i := range lines {
			text.Reset()
			for text.Len() < 200 {
				if k := zipf.Uint64(); k%53 == 0 {
					fmt.Fprintf(&text, "handleRequest%d ", k)
				} else {
					fmt.Fprintf(&text, "word%cing%x ", 'a'+k%26, k)
				}
			}
			at := schema.FormatTime(start.Add(time.Duration(s*messages+i) * time.Second))
			lines[i] = fmt.Sprintf(`{"msg_id":"msg-%d-%d","timestamp":%q,"agent":"rick","role":"assistant","content":%q}`+"\n", s, i, at, text.String())
		}
		window := min(20, messages)
		for i := 0; i+7 < messages-window; i += 7 {
			lines[i], lines[i+5] = lines[i+5], lines[i]
		}
		name := fmt.Sprintf("%s/s%04d/", fs.Sessions, s)
		write(b, tree, name+archiveFile, strings.Join(lines[:messages-window], ""))
		write(b, tree, name+windowFile, strings.Join(lines[messages-window:], ""))
	}
	return tree
}

// asked runs a search of a prompt with the neighbors of its hits, in a newly opened
// tree.
func asked(b *testing.B, root string) {
	tree, err := fs.Open(root)
	if err != nil {
		b.Fatal(err)
	}
	defer tree.Close()
	tree.Now = later
	p, err := Open(tree)
	if err != nil {
		b.Fatal(err)
	}
	found, err := p.Search(Query{Words: "how does handleRequest53 treat wordcing1c and wordbing1 when wordzing33 is there", Limit: 20})
	if err != nil || len(found) < 20 {
		b.Fatal(len(found), err)
	}
	for _, f := range found[:5] {
		if near, err := p.Around(f.Session, f.At, 2); err != nil || len(near) < 2 {
			b.Fatal(near, err)
		}
	}
}

func BenchmarkSearch100k(b *testing.B) {
	for _, sessions := range []int{1, 1000} {
		tree := crowd(b, sessions, 100_000/sessions)
		first := tree.Root() + "/" + fs.Sessions + "/s0000/"
		b.Run(fmt.Sprintf("%d sessions/index kept", sessions), func(b *testing.B) {
			asked(b, tree.Root())
			for b.Loop() {
				asked(b, tree.Root())
			}
		})
		b.Run(fmt.Sprintf("%d sessions/one went on", sessions), func(b *testing.B) {
			f, err := os.OpenFile(first+archiveFile, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			i := 0
			for b.Loop() {
				i++
				fmt.Fprintf(f, `{"msg_id":"more-%d","timestamp":"2026-12-01T09:00:00Z","content":"and one more about wordcing1c"}`+"\n", i)
				asked(b, tree.Root())
			}
		})
		b.Run(fmt.Sprintf("%d sessions/index made", sessions), func(b *testing.B) {
			for b.Loop() {
				if err := os.Remove(tree.Root() + "/" + fs.LocalName(fs.Quaid, "index", "recall")); err != nil {
					b.Fatal(err)
				}
				asked(b, tree.Root())
			}
		})
	}
}
