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

var update = flag.Bool("update", false, "make the table anew")

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
		{"claude", strings.Repeat("a", 287), 100},
		{"claude", strings.Repeat("a", 288), 101},
		{"claude", strings.Repeat("é", 287), 100},
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

func TestNames(t *testing.T) {
	for _, name := range Names() {
		if got := counter(t, name).Name(); got != name {
			t.Errorf("%s calls itself %s", name, got)
		}
	}
	if got := counter(t, "").Name(); got != Default {
		t.Errorf("the default is %s", got)
	}
	if _, err := New("gpt\x1b[2J"); err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("a counter that is none: %v", err)
	}
}

// The library cuts blank lines with spaces in them at each line ending; the
// tokenizer merges them.
func TestBlankLines(t *testing.T) {
	c := counter(t, "o200k")
	for text, want := range map[string]int{"a\n \n": 2, "\n \n": 1, "a\n \nb": 3} {
		if got := c.Count(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// wrongThere is what the library cuts wrongly (see TestBlankLines) or leaves out.
var wrongThere = regexp.MustCompile(`\x7f|[\r\n][\t\f\v\x{85}\p{Z}][\s\v\x{85}\p{Z}]*[\r\n]`)

// The table is the library's vocabulary: every token with its rank.
func TestTable(t *testing.T) {
	library := codec.NewO200kBase()
	var entries [buckets][]byte
	ranks := map[string]uint32{}
	for id := range uint(200_000) { // above every token that a text can have
		token, err := library.Decode([]uint{id})
		if err != nil {
			continue // a number that none has
		}
		ranks[token] = uint32(id)
		b := bucketOf(token)
		entries[b] = append(append(entries[b], byte(len(token)), byte(id), byte(id>>8), byte(id>>16)), token...)
	}
	var starts, all []byte
	for at, b := wide*(buckets+1), 0; b <= buckets; b++ {
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
		t.Fatal("the table is another: make it anew with -update")
	}
	for token, rank := range ranks {
		if got := rankOf(token); got != rank {
			t.Fatalf("%q has rank %d, not %d", token, got, rank)
		}
		if near := token + "\x00"; ranks[near] == 0 && rankOf(near) != noRank {
			t.Fatalf("%q has rank %d", near, rankOf(near))
		}
	}
}

// A part is merged as the library merges it, however it is cut.
func TestPartsMergeAsTheLibraryMergesThem(t *testing.T) {
	library := codec.NewO200kBase()
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]string{"abcdefghijklmnopqrstuvwxyz", "aab", "etaoinshr", "漢字仮名交", "éèêëæ", "абвгдежз", "ing"}).Draw(t, "letters")
		word := rapid.StringOfN(rapid.RuneFrom([]rune(letters)), 1, 300, -1).Draw(t, "word")
		want, err := library.Count(word)
		if got := merged(word); err != nil || got != want {
			t.Fatalf("%q: %d, want %d, %v", word, got, want, err)
		}
	})
}

// A text that holds nothing wrongThere costs what the library says of the whole.
func agrees(t interface{ Fatalf(string, ...any) }, ours *Counter, library *codec.Codec, text string) {
	if !utf8.ValidString(text) || wrongThere.MatchString(text) {
		ours.Count(text) // it must come to an end, all the same
		return
	}
	want, err := library.Count(text)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if got := ours.Count(text); got != want {
		t.Fatalf("%d tokens, the library says %d of %q", got, want, text)
	}
}

func TestFilesCostWhatTheLibrarySays(t *testing.T) {
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
			agrees(t, ours, library, string(text))
		}
	}
}

// parts are put together to texts that lie at the edges of the rule.
var parts = []string{
	"a", "Z", "é", "É", "ǅ", "ʰ", "漢", "ß", "\u0301", "\u0903", "7", "²", "Ⅷ", "٣", " ", "  ", "\t", "\v", "\f", "\u00a0", "\u0085", "\u2028", "\u3000",
	"\n", "\r\n", "\r", "'", "'s", "'S", "'re", "'LL", "'d", "’s", "/", "//", "-", "_", ".", "{", "\"", "€", "🙂", "👩‍👩‍👧", "\u200b", "\x00", "\x1b",
	"hello", "World", "HTTPServer", "snake_case", "<|endoftext|>", "don't", "I'VE", "한국어", "ไทย", "हिन्दी", "العربية",
}

func TestTextsCostWhatTheLibrarySays(t *testing.T) {
	ours, library := counter(t, "o200k"), codec.NewO200kBase()
	rapid.Check(t, func(t *rapid.T) {
		agrees(t, ours, library, strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), ""))
	})
}

// rule is the tokenizer's own, but for `\s+(?!\S)|\s+` at its end.
var rule = regexp.MustCompile(strings.ReplaceAll(`^(?:[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|`+
	`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|`+
	`\p{N}{1,3}| ?[^WHITE\p{L}\p{N}]+[\r\n/]*|[WHITE]*[\r\n]+)`, "WHITE", `\t\n\v\f\r\x{85}\p{Z}`))

// byRule is the first piece of text by the rule.
func byRule(text string) string {
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

func TestPiecesAreCutByTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rest := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), "")
		for rest != "" {
			want := byRule(rest)
			if got := rest[:piece(rest)]; got != want {
				t.Fatalf("%q begins with %q, want %q", rest, got, want)
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
	f.Fuzz(func(t *testing.T, text string) { agrees(t, ours, library, text) })
}

// runs have no place to cut, or one that is found only by looking far ahead.
var runs = map[string]string{
	"a": "a", "A": "A", "Chinese": "漢", "marks": "\u0301", "spaces": " ", "newlines": "\n", "blank lines": "  \n", "CRLF": " \r\n", "dashes": "-",
	"slashes": "/\n", "digits": "7", "base64": "aGVsbG8gd29ybGQh", "broken": "\xff", "half runes": "\xe6\xbc", "quotes": "'", "NUL": "\x00", "mark before capitals": "\u0301AAAA",
}

// However long a run is, it is merged in parts of bounded size, so that time
// grows with the text.
func TestLongRunsAreMergedInBoundedParts(t *testing.T) {
	for name, unit := range runs {
		text := strings.Repeat(unit, 1<<20/len(unit))
		longest, whole := 0, 0
		for rest := text; rest != ""; {
			n := piece(rest)
			if n <= 0 {
				t.Fatalf("%s: a piece of %d bytes", name, n)
			}
			sum := inParts(rest[:n], maxPart, func(part string) int {
				longest = max(longest, len(part))
				return len(part)
			})
			if sum != n {
				t.Fatalf("%s: parts of %d bytes of a piece of %d", name, sum, n)
			}
			whole += n
			rest = rest[n:]
		}
		if whole != len(text) || longest > maxPart {
			t.Errorf("%s: %d bytes of %d, %d of them at once", name, whole, len(text), longest)
		}
	}
}

// However long a run is, it is counted, and its count is near what a smaller part
// of it costs, which is counted without a cut.
func TestLongRunsCostWhatTheirPartsCost(t *testing.T) {
	c := counter(t, "o200k")
	for name, unit := range runs {
		small := strings.Repeat(unit, 8<<10/len(unit))
		per := float64(c.Count(small)) / float64(len(small))
		long := strings.Repeat(unit, 1<<16/len(unit))
		got, want := float64(c.Count(long)), per*float64(len(long))
		if got > 1.02*want+2 || got < 0.98*want-2 {
			t.Errorf("%s: %.0f tokens, its parts cost %.0f", name, got, want)
		}
	}
}

// What a part costs is remembered for the next, if that is the same.
func TestPartsAreTakenForWhatTheyAre(t *testing.T) {
	cost := map[string]int{}
	for _, unit := range []string{"x", "ab", "語"} {
		cost[unit] = counter(t, "").Count(strings.Repeat(unit, maxPart/len(unit)))
	}
	c, want, text := counter(t, ""), 0, ""
	for _, unit := range []string{"x", "x", "ab", "x", "語"} {
		text += strings.Repeat(unit, maxPart/len(unit))
		want += cost[unit]
	}
	for range 2 {
		if got := c.Count(text); got != want {
			t.Errorf("%d tokens, its parts cost %d", got, want)
		}
	}
}

func TestManyGoroutinesCount(t *testing.T) {
	c := counter(t, "")
	done := make(chan int)
	for range 8 {
		go func() { done <- c.Count("one two three\n \n四五") }()
	}
	first := <-done
	for range 7 {
		if n := <-done; n != first {
			t.Errorf("%d and %d tokens of one text", first, n)
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

// BenchmarkLoad is what the first count costs.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		counter(b, "o200k").Count("hello")
	}
}
