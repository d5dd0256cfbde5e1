//go:build unix

package fs

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// benchText is a State of usual size.
func benchText(n int) []byte {
	return fmt.Appendf(nil, "{\n  \"n\": %d,\n  \"text\": \"%s\"\n}\n", n, bytes.Repeat([]byte("x"), 7000))
}

// BenchmarkUpdate measures a durable update of a State. Disk speed varies, so each
// round also makes the same system calls without package fs, with the same syncs: the
// metric x-bare is the ratio of the two.
func BenchmarkUpdate(b *testing.B) {
	tree := newTree(b)
	put(b, tree, State, string(benchText(0)))
	bare := newBare(b)
	var ours, theirs time.Duration
	for i := 0; b.Loop(); i++ {
		text := benchText(i + 1)
		start := time.Now()
		if err := tree.Update(ctx, State, func([]byte) ([]byte, error) { return text, nil }); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		bare.update(text)
		theirs += time.Since(middle)
		ours += middle.Sub(start)
	}
	b.ReportMetric(float64(ours.Microseconds())/float64(b.N), "us-ours")
	b.ReportMetric(float64(theirs.Microseconds())/float64(b.N), "us-bare")
	b.ReportMetric(float64(ours)/float64(theirs), "x-bare")
}

// A bare is a directory in which a file is updated with only the system calls that
// durability needs.
type bare struct {
	b   *testing.B
	dir string
}

func newBare(b *testing.B) *bare {
	x := &bare{b, b.TempDir()}
	x.must(os.WriteFile(x.dir+"/state.json", benchText(0), 0o644))
	x.must(os.WriteFile(x.dir+"/lock", nil, 0o644))
	return x
}

func (x *bare) must(err error) {
	if err != nil {
		x.b.Fatal(err)
	}
}

func (x *bare) update(text []byte) {
	lock, err := os.OpenFile(x.dir+"/lock", os.O_RDWR, 0)
	x.must(err)
	x.must(syscall.Flock(int(lock.Fd()), syscall.LOCK_EX))
	_, err = os.ReadFile(x.dir + "/state.json")
	x.must(err)
	f, err := os.OpenFile(x.dir+"/temp", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	x.must(err)
	_, err = f.Write(text)
	x.must(err)
	x.must(f.Sync())
	x.must(f.Close())
	x.must(os.Rename(x.dir+"/temp", x.dir+"/state.json"))
	d, err := os.Open(x.dir)
	x.must(err)
	x.must(d.Sync())
	x.must(d.Close())
	x.must(lock.Close())
}

// BenchmarkAppend measures appending one durable JSONL record.
func BenchmarkAppend(b *testing.B) {
	tree := newTree(b)
	for b.Loop() {
		if err := tree.Append(ctx, Messages, []byte(`{"msg_id":"msg-0001","content":"hello"}`)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead measures a scan of many files; BenchmarkReadBare opens, reads and
// closes the same files by absolute path.
func BenchmarkRead(b *testing.B) {
	tree, names := manyFiles(b)
	var buf []byte
	for b.Loop() {
		for _, name := range names {
			var err error
			if buf, err = tree.ReadAppend(buf[:0], name); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkReadBare(b *testing.B) {
	tree, names := manyFiles(b)
	buf := make([]byte, 16<<10)
	for b.Loop() {
		for _, name := range names {
			fd, err := syscall.Open(filepath.Join(tree.Root(), name), syscall.O_RDONLY, 0)
			if err != nil {
				b.Fatal(err)
			}
			var st syscall.Stat_t
			syscall.Fstat(fd, &st)
			syscall.Read(fd, buf)
			syscall.Close(fd)
		}
	}
}

func manyFiles(b *testing.B) (*Tree, []string) {
	tree := newTree(b)
	var names []string
	for i := range 1000 {
		name := fmt.Sprintf("%s/file%04d.json", History, i)
		put(b, tree, name, string(benchText(i)))
		names = append(names, name)
	}
	return tree, names
}
