//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/relevance"
)

// score measures the comparing of 100,000 messages with prompts: of the file as it
// lies there, beside grep that counts the lines with a word; by an index that is
// open; and the making of that index, beside SQLite's FTS5.
func (b *bench) score() error {
	messages := b.tenth(100_000)
	texts, prompts := speech(messages)
	var lines, plain bytes.Buffer
	for i, text := range texts {
		fmt.Fprintf(&lines, "{\"msg_id\":\"msg-%06d\",\"timestamp\":\"2026-11-20T09:00:00Z\",\"role\":\"user\",\"content\":%q}\n", i, text)
		plain.WriteString(text + "\n")
	}
	for name, text := range map[string][]byte{"speech.jsonl": lines.Bytes(), "speech.txt": plain.Bytes()} {
		if err := put(b.dir, name, text); err != nil {
			return err
		}
	}
	name := fmt.Sprintf("%d messages, %d MB", messages, lines.Len()/1_000_000)
	if err := b.scoreFile(name, filepath.Join(b.dir, "speech.jsonl"), prompts); err != nil {
		return err
	}
	index, err := b.scoreBuild(name, texts)
	if err != nil {
		return err
	}
	b.scoreIndex(name, index, prompts)
	return nil
}

// scoreFile measures Compare of what a file holds, from reading it on.
func (b *bench) scoreFile(name, file string, prompts []string) error {
	var took, theirs []float64
	for i := range b.runs {
		runtime.GC()
		start := time.Now()
		texts, err := contents(file)
		if err != nil {
			return err
		}
		relevance.Compare(prompts[i%len(prompts)], texts)
		took = append(took, ms(time.Since(start)))
		start = time.Now()
		if _, err := exec.Command("grep", "-c", "certificate", file).Output(); err != nil { // what is dropped, grep does not count
			return err
		}
		theirs = append(theirs, ms(time.Since(start)))
	}
	b.addAll("score", name+": no index / grep -c", ratios(took, theirs), "x", "<= 5",
		fmt.Sprintf("%.0f ms, grep %.0f ms", quantile(took, 0.5), quantile(theirs, 0.5)))
	return nil
}

// contents reads what the messages of a file say, a piece on each processor.
func contents(file string) ([]relevance.Text, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ends, err := lineEnds(f, runtime.GOMAXPROCS(0))
	if err != nil {
		return nil, err
	}
	pieces, failed := make([][]relevance.Text, len(ends)), make([]error, len(ends))
	var wg sync.WaitGroup
	for i, to := range ends {
		from := int64(0)
		if i > 0 {
			from = ends[i-1]
		}
		wg.Go(func() { pieces[i], failed[i] = piece(f, from, to) })
	}
	wg.Wait()
	return slices.Concat(pieces...), errors.Join(failed...)
}

// lineEnds parts a file into n pieces of whole lines, and says where they end.
func lineEnds(f *os.File, n int) ([]int64, error) {
	about, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var ends []int64
	buf := make([]byte, 64<<10)
	for i := 1; i < n; i++ {
		at := about.Size() * int64(i) / int64(n)
		got, _ := f.ReadAt(buf, at)
		ends = append(ends, at+1+int64(bytes.IndexByte(buf[:got], '\n')))
	}
	return append(ends, about.Size()), nil
}

// piece reads what the messages of a piece of a file say.
func piece(f *os.File, from, to int64) (texts []relevance.Text, err error) {
	src := make([]byte, to-from)
	if _, err := f.ReadAt(src, from); err != nil {
		return nil, err
	}
	texts = make([]relevance.Text, 0, bytes.Count(src, []byte("\n"))+1)
	var doc jsonedit.Doc
	for line := range jsonedit.Lines(src) {
		if err := doc.Parse(line.Text); err != nil {
			return nil, err
		}
		content, _ := doc.Str(doc.Member(0, "content"))
		texts = append(texts, relevance.Text{Content: content, Role: "user"})
	}
	return texts, nil
}

// fts5 makes an index of the lines of a file and prints how long it took.
const fts5 = `
import sqlite3, sys, time
texts = [(line.rstrip("\n"),) for line in open(sys.argv[1], encoding="utf-8")]
db = sqlite3.connect(":memory:")
start = time.perf_counter()
db.execute("create virtual table texts using fts5(content, tokenize='porter')")
with db:
    db.executemany("insert into texts(content) values (?)", texts)
print(1000 * (time.perf_counter() - start))
`

// scoreBuild measures the making of an index, which it returns.
func (b *bench) scoreBuild(name string, texts []string) (*relevance.Index, error) {
	var took, theirs []float64
	var made []byte
	for range b.runs {
		runtime.GC()
		start := time.Now()
		builder := relevance.NewBuilder()
		for _, text := range texts {
			builder.Add(text)
		}
		made = builder.Append(nil)
		took = append(took, ms(time.Since(start)))
		out, err := exec.Command("python3", "-c", fts5, filepath.Join(b.dir, "speech.txt")).Output()
		if err != nil {
			continue // no python3, or one whose SQLite has no FTS5
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			return nil, err
		}
		theirs = append(theirs, v)
	}
	note := fmt.Sprintf("%.1f MB", float64(len(made))/1e6)
	if len(theirs) < len(took) {
		b.addAll("score", name+": index made", took, "ms", "", note+"; no python3 with FTS5 here to compare with")
	} else {
		b.addAll("score", name+": index made / FTS5", ratios(took, theirs), "x", "<= 0.35",
			fmt.Sprintf("%.0f ms, FTS5 %.0f ms; %s", quantile(took, 0.5), quantile(theirs, 0.5), note))
	}
	return relevance.Open(made)
}

// scoreIndex measures queries of an open index.
func (b *bench) scoreIndex(name string, index *relevance.Index, prompts []string) {
	var best, ranked []float64
	for _, prompt := range prompts {
		for range 3 {
			relevance.Best(10, prompt, index)
		}
		var one, other []float64
		for range b.runs {
			start := time.Now()
			relevance.Best(10, prompt, index)
			one = append(one, 1000*ms(time.Since(start)))
			start = time.Now()
			n := 0
			for range relevance.Rank(prompt, relevance.Best(500, prompt, index), relevance.Order{}, index) {
				if n++; n == 10 {
					break
				}
			}
			other = append(other, 1000*ms(time.Since(start)))
		}
		best, ranked = append(best, quantile(one, 0.5)), append(ranked, quantile(other, 0.5))
	}
	b.addAll("score", name+": index open, the best ten", best, "us", "<= 100", fmt.Sprintf("p90 %.0f us", quantile(best, 0.9)))
	b.addAll("score", name+": the same, ranked among 500", ranked, "us", "", "")
}

// common are the words that English is held together by, the commonest first.
var common = strings.Fields(`the of and to a in is that it for you was with on as have but be they this we not are at from or by
	what can do if an all there one out up so about more when them some would like into has him then now my only its over your just`)

// speech is texts of words that are as common as English words are, and prompts
// of six to eight of them.
func speech(n int) (texts, prompts []string) {
	r := rand.New(rand.NewPCG(5, 8))
	words := slices.Clone(common)
	for len(words) < 12_000 {
		var word strings.Builder
		for range 1 + r.IntN(3) {
			word.WriteByte("bcdfghklmnprstvw"[r.IntN(16)])
			word.WriteByte("aeiou"[r.IntN(5)])
		}
		word.WriteString([]string{"", "n", "r", "s", "t", "ing", "ed", "er", "tion", "ly", "ness", "ment"}[r.IntN(12)])
		words = append(words, word.String())
	}
	words[1500] = "certificate"
	var sums []float64 // of how common they are
	sum := 0.0
	for rank := range words {
		sum += 1 / math.Pow(float64(rank)+2.7, 1.05)
		sums = append(sums, sum)
	}
	say := func(least, most int) string {
		said := make([]string, least+r.IntN(most-least+1))
		for i := range said {
			at, _ := slices.BinarySearch(sums, r.Float64()*sum)
			said[i] = words[at]
		}
		return strings.Join(said, " ")
	}
	for range n {
		texts = append(texts, say(10, 50))
	}
	for range 60 {
		prompts = append(prompts, say(6, 8))
	}
	return texts, prompts
}
