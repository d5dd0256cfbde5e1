package jsonedit

import (
	"bytes"
	"strconv"
	"testing"
)

// Filter gives the same text as a Delete of each element, from the last to the first.
func FuzzFilter(f *testing.F) {
	for i, text := range texts {
		f.Add([]byte(text), uint64(i))
		f.Add([]byte(text), ^uint64(i))
	}
	f.Add(exampleState(f), uint64(0b1010011))
	f.Add([]byte("[\n  1,\n  2,\n  3, 4,\n  5]\n"), uint64(0b00111))
	f.Add([]byte(`{"a": [ 1 ,2, 3 ]}`), uint64(0b101))
	f.Fuzz(func(t *testing.T, src []byte, mask uint64) {
		d, err := Parse(src)
		if err != nil {
			return
		}
		for i := range min(len(d.Nodes), 100) {
			n := d.Nodes[i]
			if n.Kind != Array || d.Find(d.Pointer(i)) != i {
				continue
			}
			pointer := d.Pointer(i)
			k := -1
			out, err := Filter(src, pointer, func(seen *Doc, element int) bool {
				if k++; element != d.child(i, k) || seen.Raw(element) == nil {
					t.Fatalf("keep was called with %d as element %d of %q", element, k, src)
				}
				return mask>>(k%64)&1 == 0
			})
			if k+1 != int(n.Len) {
				t.Fatalf("keep was called for %d of %d elements", k+1, n.Len)
			}
			want, refused := src, error(nil)
			for k := int(n.Len) - 1; k >= 0 && refused == nil; k-- {
				if mask>>(k%64)&1 == 1 {
					want, refused = Delete(want, pointer+"/"+strconv.Itoa(k))
				}
			}
			if (err == nil) != (refused == nil) || !bytes.Equal(out, want) {
				t.Errorf("%q at %q, mask %b: got %v\n%q\nwant %v\n%q", src, pointer, mask, err, out, refused, want)
			}
		}
	})
}

func TestFilterWithoutArray(t *testing.T) {
	for _, text := range []string{`{"a": {"0": 1}}`, `{"b": [1]}`, `7`} {
		if out, err := Filter([]byte(text), "/a", func(*Doc, int) bool { return false }); err != nil || string(out) != text {
			t.Errorf("%s: got %q, %v", text, out, err)
		}
	}
	if _, err := Filter([]byte(`{"a": [`), "/a", nil); err == nil {
		t.Error("incomplete text: want an error")
	}
	if _, err := Filter([]byte(`{"a": [1], "a": [2]}`), "/a", func(*Doc, int) bool { return false }); err == nil {
		t.Error("duplicate member: want an error")
	}
}
