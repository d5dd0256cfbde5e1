package tokens

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the table again")

func counter(t testing.TB, name string) *Counter {
	t.Helper()
	c, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCounters(t *testing.T) {
	tests := []struct {
		counter, text string
		want          int
	}{
		{"o200k", "", 0},
		{"o200k", "hello world", 2},
		{"o200k", "hello, WORLD's end", 5},
		{"o200k", "こんにちは世界", 2},
		{"o200k", "\xff\xfe", 1},
		{"o200k", "\x7f", 1},
		{"o200k", "-\x7f", 2},
		{"claude", "", 0},
		{"claude", "a", 1},
		{"claude", "hello, WORLD's end", 6}, // 5 of o200k, 18 characters
		{"claude", strings.Repeat("hello, WORLD's end\n", 100), 677}, // 600 of o200k, 1,900 characters
		{"claude", "こんにちは世界", 3},
		{"chars4", "", 0},
		{"chars4", "abcd", 1},
		{"chars4", "abcde", 2},
		{"chars4", "日本語字", 1},
		{"chars4", "\xff\xff\xff\xff\xff", 2},
	}
	for _, tt := range tests {
		if got := counter(t, tt.counter).Count(tt.text); got != tt.want {
			t.Errorf("%s of %.20q: %d, want %d", tt.counter, tt.text, got, tt.want)
		}
	}
}

func TestExchange(t *testing.T) {
	for name, want := range map[string]int{"claude": 74, "o200k": 0, "chars4": 0} {
		if got := counter(t, name).Exchange(); got != want {
			t.Errorf("%s: %d tokens an exchange, want %d", name, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, name := range Names() {
		if got := counter(t, name).Name(); got != name {
			t.Errorf("counter %s has the name %s", name, got)
		}
	}
	if got := counter(t, "").Name(); got != Default {
		t.Errorf("the default is %s", got)
	}
	if _, err := New("gpt\x1b[2J"); err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("unknown counter: got error %v", err)
	}
}

// The library cuts blank lines that contain spaces at each line ending; OpenAI's
// tokenizer does not.
func TestBlankLines(t *testing.T) {
	c := counter(t, "o200k")
	for text, want := range map[string]int{"a\n \n": 2, "\n \n": 1, "a\n \nb": 3} {
		if got := c.Count(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// libraryBugs matches what the library cuts wrongly (see TestBlankLines) or leaves out.
var libraryBugs = regexp.MustCompile(`\x7f|[\r\n][\t\f\v\x{85}\p{Z}][\s\v\x{85}\p{Z}]*[\r\n]`)

// The table contains every token of the library's vocabulary with its rank.
func TestTable(t *testing.T) {
	library := codec.NewO200kBase()
	var entries [buckets][]byte
	ranks := map[string]uint32{}
	for id := range uint(200_000) { // above every token that a text can have
		token, err := library.Decode([]uint{id})
		if err != nil {
			continue // no token has this id
		}
		ranks[token] = uint32(id)
		b := bucketOf(token)
		entries[b] = append(append(entries[b], byte(len(token)), byte(id), byte(id>>8), byte(id>>16)), token...)
	}
	var starts, all []byte
	for at, b := numberSize*(buckets+1), 0; b <= buckets; b++ {
		starts = append(starts, byte(at), byte(at>>8), byte(at>>16))
		if b < buckets {
			all = append(all, entries[b]...)
			at += len(entries[b])
		}
	}
	made := string(append(starts, all...))
	if *update {
		if err := os.WriteFile("o200k.table", []byte(made), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if made != table {
		t.Fatal("the table differs from the library's vocabulary: write it again with -update")
	}
	for token, rank := range ranks {
		if got := rankOf(token); got != rank {
			t.Fatalf("rank of %q: got %d, want %d", token, got, rank)
		}
		if near := token + "\x00"; ranks[near] == 0 && rankOf(near) != noRank {
			t.Fatalf("%q is not a token, but has rank %d", near, rankOf(near))
		}
	}
}

// countMerged and the library give the same count for one word.
func TestMergeAgreesWithLibrary(t *testing.T) {
	library := codec.NewO200kBase()
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]string{"abcdefghijklmnopqrstuvwxyz", "aab", "etaoinshr", "漢字仮名交", "éèêëæ", "абвгдежз", "ing"}).Draw(t, "letters")
		word := rapid.StringOfN(rapid.RuneFrom([]rune(letters)), 1, 300, -1).Draw(t, "word")
		want, err := library.Count(word)
		if got := countMerged(word); err != nil || got != want {
			t.Fatalf("%q: %d, want %d, %v", word, got, want, err)
		}
	})
}

// checkCount fails if the count of text is not the library's. Of a text that
// libraryBugs matches it only checks that the count ends.
func checkCount(t interface{ Fatalf(string, ...any) }, ours *Counter, library *codec.Codec, text string) {
	if !utf8.ValidString(text) || libraryBugs.MatchString(text) {
		ours.Count(text)
		return
	}
	want, err := library.Count(text)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if got := ours.Count(text); got != want {
		t.Fatalf("got %d tokens, the library counts %d in %q", got, want, text)
	}
}

func TestFilesAgreeWithLibrary(t *testing.T) {
	ours, library := counter(t, "o200k"), codec.NewO200kBase()
	for _, pattern := range []string{"../../*.md", "../../go.sum", "*.go", "../../schema/*.json", "../../validate/*.go", "../jsonedit/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			checkCount(t, ours, library, string(text))
		}
	}
}

// parts are joined to texts that test the limits of the rule.
var parts = []string{
	"a", "Z", "é", "É", "ǅ", "ʰ", "漢", "ß", "\u0301", "\u0903", "7", "²", "Ⅷ", "٣", " ", "  ", "\t", "\v", "\f", "\u00a0", "\u0085", "\u2028", "\u3000",
	"\n", "\r\n", "\r", "'", "'s", "'S", "'re", "'LL", "'d", "’s", "/", "//", "-", "_", ".", "{", "\"", "€", "🙂", "👩‍👩‍👧", "\u200b", "\x00", "\x1b",
	"hello", "World", "HTTPServer", "snake_case", "<|endoftext|>", "don't", "I'VE", "한국어", "ไทย", "हिन्दी", "العربية",
}

func TestTextsAgreeWithLibrary(t *testing.T) {
	ours, library := counter(t, "o200k"), codec.NewO200kBase()
	rapid.Check(t, func(t *rapid.T) {
		checkCount(t, ours, library, strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), ""))
	})
}

// rule is the tokenizer's regular expression without `\s+(?!\S)|\s+` at its end.
var rule = regexp.MustCompile(strings.ReplaceAll(`^(?:[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|`+
	`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|`+
	`\p{N}{1,3}| ?[^WHITE\p{L}\p{N}]+[\r\n/]*|[WHITE]*[\r\n]+)`, "WHITE", `\t\n\v\f\r\x{85}\p{Z}`))

// firstPiece returns the first piece of text by the rule.
func firstPiece(text string) string {
	if m := rule.FindString(text); m != "" {
		return m
	}
	rest := strings.TrimLeftFunc(text, unicode.IsSpace)
	white := text[:len(text)-len(rest)]
	if _, last := utf8.DecodeLastRuneInString(white); rest != "" && last < len(white) {
		return white[:len(white)-last]
	}
	return white
}

func TestPiecesFollowTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rest := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), "")
		for rest != "" {
			want := firstPiece(rest)
			if got := rest[:pieceLen(rest)]; got != want {
				t.Fatalf("first piece of %q: got %q, want %q", rest, got, want)
			}
			rest = rest[len(want):]
		}
	})
}

func FuzzCount(f *testing.F) {
	for _, seed := range []string{"", "a\n \n", "don't \r\n stop", "漢字kana\xff\u0301", "  \n\t\n  x", "ǅʰA'Sx"} {
		f.Add(seed)
	}
	ours, library := counter(f, "o200k"), codec.NewO200kBase()
	f.Fuzz(func(t *testing.T, text string) { checkCount(t, ours, library, text) })
}

// runs are units that repeat without a place to cut, or with one that is found only
// far ahead.
var runs = map[string]string{
	"a": "a", "A": "A", "Chinese": "漢", "marks": "\u0301", "spaces": " ", "newlines": "\n", "blank lines": "  \n", "CRLF": " \r\n", "dashes": "-",
	"slashes": "/\n", "digits": "7", "base64": "aGVsbG8gd29ybGQh", "broken": "\xff", "half runes": "\xe6\xbc", "quotes": "'", "NUL": "\x00", "mark before capitals": "\u0301AAAA",
}

// A run of any length is merged in parts of bounded size, so that the time is linear.
func TestLongRunsAreMergedInBoundedParts(t *testing.T) {
	for name, unit := range runs {
		text := strings.Repeat(unit, 1<<20/len(unit))
		longest, whole := 0, 0
		for rest := text; rest != ""; {
			n := pieceLen(rest)
			if n <= 0 {
				t.Fatalf("%s: got a piece of %d bytes", name, n)
			}
			sum := sumParts(rest[:n], maxPartSize, func(part string) int {
				longest = max(longest, len(part))
				return len(part)
			})
			if sum != n {
				t.Fatalf("%s: the parts have %d bytes, their piece has %d", name, sum, n)
			}
			whole += n
			rest = rest[n:]
		}
		if whole != len(text) || longest > maxPartSize {
			t.Errorf("%s: the pieces have %d bytes of %d, the longest part has %d", name, whole, len(text), longest)
		}
	}
}

// The count of a long run is within 2 % of what a shorter run, which is counted
// without a cut, gives for the same length.
func TestLongRunsAreCountedProportionally(t *testing.T) {
	c := counter(t, "o200k")
	for name, unit := range runs {
		small := strings.Repeat(unit, 8<<10/len(unit))
		per := float64(c.Count(small)) / float64(len(small))
		long := strings.Repeat(unit, 1<<16/len(unit))
		got, want := float64(c.Count(long)), per*float64(len(long))
		if got > 1.02*want+2 || got < 0.98*want-2 {
			t.Errorf("%s: got %.0f tokens, want about %.0f", name, got, want)
		}
	}
}

// The cached count of the last part is used only for an equal part.
func TestLastPartIsCached(t *testing.T) {
	cost := map[string]int{}
	for _, unit := range []string{"x", "ab", "語"} {
		cost[unit] = counter(t, "").Count(strings.Repeat(unit, maxPartSize/len(unit)))
	}
	c, want, text := counter(t, ""), 0, ""
	for _, unit := range []string{"x", "x", "ab", "x", "語"} {
		text += strings.Repeat(unit, maxPartSize/len(unit))
		want += cost[unit]
	}
	for range 2 {
		if got := c.Count(text); got != want {
			t.Errorf("got %d tokens, want %d", got, want)
		}
	}
}

func TestConcurrentCounts(t *testing.T) {
	c := counter(t, "")
	done := make(chan int)
	for range 8 {
		go func() { done <- c.Count("one two three\n \n四五") }()
	}
	first := <-done
	for range 7 {
		if n := <-done; n != first {
			t.Errorf("got %d and %d tokens for one text", first, n)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		b.Fatal(err)
	}
	texts := map[string]string{"prose": string(text)}
	for name, unit := range runs {
		texts[name] = strings.Repeat(unit, 1<<18/len(unit))
	}
	for name, text := range texts {
		b.Run(name, func(b *testing.B) {
			c := counter(b, "o200k")
			c.Count("a\n \n")
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				c.Count(text)
			}
		})
	}
}

// BenchmarkLoad measures a new counter's first count.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		counter(b, "o200k").Count("hello")
	}
}
