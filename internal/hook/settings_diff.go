package hook

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A hunk says that lines [b0, b1) replace lines [a0, a1).
type hunk struct{ a0, a1, b0, b1 int }

// lines splits a text after each line feed.
func lines(text []byte) [][]byte {
	if len(text) == 0 {
		return nil
	}
	return slices.Collect(bytes.Lines(text))
}

// hunks returns the smallest difference between two lists of lines (Myers' algorithm), or one hunk
// for all if there are too many differences.
func hunks(a, b [][]byte) []hunk {
	const most = 1000
	head := 0
	for head < len(a) && head < len(b) && bytes.Equal(a[head], b[head]) {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	whole := hunk{head, len(a) - tail, head, len(b) - tail}
	a, b = a[head:len(a)-tail], b[head:len(b)-tail]
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	if len(a) == 0 || len(b) == 0 {
		return []hunk{whole}
	}
	furthest := []int{0, 0, 0} // for each diagonal k, at k+d+1
	var trace [][]int
	for d := 0; d <= min(most, len(a)+len(b)); d++ {
		next := make([]int, 2*d+5)
		for k := -d; k <= d; k += 2 {
			x := 0
			if d > 0 {
				left, right := at1(furthest, k-1+d), at1(furthest, k+1+d)
				if x = left + 1; k == -d || k != d && left < right {
					x = right
				}
			}
			for x < len(a) && x-k < len(b) && bytes.Equal(a[x], b[x-k]) {
				x++
			}
			next[k+d+2] = x
			if x >= len(a) && x-k >= len(b) {
				return backtrack(append(trace, next), len(a), len(b), head)
			}
		}
		trace, furthest = append(trace, next), next
	}
	return []hunk{whole}
}

// at1 reads the diagonals of the previous round, which begin one later.
func at1(diagonals []int, i int) int { return diagonals[i+1] }

// backtrack returns the hunks from the rounds of the search, last one first.
func backtrack(trace [][]int, x, y, head int) []hunk {
	var all []hunk
	for d := len(trace) - 1; d > 0; d-- {
		k, before := x-y, trace[d-1]
		left, right := at1(before, k-1+d), at1(before, k+1+d)
		px, py := left, left-(k-1)
		h := hunk{a0: px, a1: px + 1, b0: py, b1: py}
		if k == -d || k != d && left < right {
			px, py = right, right-(k+1)
			h = hunk{a0: px, a1: px, b0: py, b1: py + 1}
		}
		if n := len(all); n > 0 && all[n-1].a0 == h.a1 && all[n-1].b0 == h.b1 {
			all[n-1].a0, all[n-1].b0 = h.a0, h.b0
		} else {
			all = append(all, h)
		}
		x, y = px, py
	}
	slices.Reverse(all)
	for i := range all {
		all[i].a0, all[i].a1, all[i].b0, all[i].b1 = all[i].a0+head, all[i].a1+head, all[i].b0+head, all[i].b1+head
	}
	return all
}

// Diff returns the difference of two texts in the form of `diff -u`. Nil stands for no file.
func Diff(name string, before, after []byte) string {
	a, b := lines(before), lines(after)
	all := hunks(a, b)
	if len(all) == 0 && (before == nil) == (after == nil) {
		return ""
	}
	var out strings.Builder
	from, to := "a/"+name, "b/"+name
	if before == nil {
		from = "/dev/null"
	}
	if after == nil {
		to = "/dev/null"
	}
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
	const context = 3
	for i := 0; i < len(all); {
		last := i
		for last+1 < len(all) && all[last+1].a0-all[last].a1 <= 2*context {
			last++
		}
		group := all[i : last+1]
		a0, b0 := max(0, group[0].a0-context), max(0, group[0].b0-context)
		a1, b1 := min(len(a), all[last].a1+context), min(len(b), all[last].b1+context)
		fmt.Fprintf(&out, "@@ -%s +%s @@\n", spanOf(a0, a1), spanOf(b0, b1))
		at := a0
		for _, h := range group {
			printLines(&out, ' ', a[at:h.a0])
			printLines(&out, '-', a[h.a0:h.a1])
			printLines(&out, '+', b[h.b0:h.b1])
			at = h.a1
		}
		printLines(&out, ' ', a[at:a1])
		i = last + 1
	}
	return out.String()
}

// spanOf returns lines [from, to) in the form of a hunk's header.
func spanOf(from, to int) string {
	switch n := to - from; n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	default:
		return fmt.Sprintf("%d,%d", from+1, n)
	}
}

func printLines(out *strings.Builder, sign byte, lines [][]byte) {
	for _, line := range lines {
		out.WriteByte(sign)
		out.Write(line)
		if !bytes.HasSuffix(line, []byte("\n")) {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// An undo is a step of undoing an edit: at an offset it removes a number of bytes and inserts
// others.
type undo struct {
	At  int    `json:"at"`
	Cut int    `json:"cut"`
	Put []byte `json:"put,omitempty"`
}

// undoing returns the steps from after to before, last place first. They contain only the bytes of
// before that after lacks.
func undoing(before, after []byte) []undo {
	a, b := lines(before), lines(after)
	var steps []undo
	ai, bi, aOff, bOff := 0, 0, 0, 0
	for _, h := range hunks(a, b) {
		for ; ai < h.a0; ai++ {
			aOff += len(a[ai])
		}
		for ; bi < h.b0; bi++ {
			bOff += len(b[bi])
		}
		old, now := bytes.Join(a[h.a0:h.a1], nil), bytes.Join(b[h.b0:h.b1], nil)
		head := 0
		for head < len(old) && head < len(now) && old[head] == now[head] {
			head++
		}
		tail := 0
		for tail < len(old)-head && tail < len(now)-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
			tail++
		}
		steps = append(steps, undo{bOff + head, len(now) - head - tail, bytes.Clone(old[head : len(old)-tail])})
	}
	slices.Reverse(steps)
	return steps
}

// undone applies steps. It reports false if they do not fit the text.
func undone(text []byte, steps []undo) ([]byte, bool) {
	for _, u := range steps {
		if u.At < 0 || u.Cut < 0 || u.At > len(text) || u.Cut > len(text)-u.At {
			return nil, false
		}
		text = slices.Concat(text[:u.At], u.Put, text[u.At+u.Cut:])
	}
	return text, true
}
