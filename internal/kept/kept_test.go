package kept

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

const heading = "kept 1\n"

func stamps() []fs.Stamp {
	return []fs.Stamp{{Name: "a", Size: 3, Written: 1, Changed: 2, Inode: 7, Device: 9}, {Name: "b"}, {Name: "d", Size: -1}}
}

func TestAnIndexKnowsAFileByItsStamp(t *testing.T) {
	var w Writer
	for _, s := range stamps() {
		w.Add(s, []byte("of "+s.Name))
	}
	text := string(w.Bytes(heading))
	x := Read(strings.NewReader(text), heading)
	touched := stamps()[1]
	touched.Changed++
	for _, c := range []struct {
		stamp fs.Stamp
		body  string
		ok    bool
	}{{stamps()[0], "of a", true}, {touched, "", false}, {fs.Stamp{Name: "c"}, "", false}, {stamps()[2], "of d", true}, {fs.Stamp{Name: "e"}, "", false}} {
		if body, ok := x.At(c.stamp); ok != c.ok || ok && body != c.body {
			t.Errorf("%+v: %q, %v", c.stamp, body, ok)
		}
	}
	for at := range text { // whatever is damaged, nothing is believed
		for _, bad := range []string{text[:at], text[:at] + "\x7f" + text[at+1:]} {
			if x := Read(strings.NewReader(bad), heading); bad != text && x.stamp.Name != "" {
				t.Fatalf("damaged at %d, it knows %q", at, x.stamp.Name)
			}
		}
	}
	if x := Read(strings.NewReader(text), "kept 2\n"); x.stamp.Name != "" {
		t.Error("another format is believed")
	}
}

// Whatever stands behind a good checksum, reading it ends.
func FuzzIndex(f *testing.F) {
	var w Writer
	for _, s := range stamps() {
		w.Add(s, []byte(s.Name))
	}
	f.Add(string(w.Bytes("")[checksumSize:]))
	f.Add("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	f.Fuzz(func(t *testing.T, text string) {
		x := read(text)
		for n := 0; x.stamp.Name != ""; n++ {
			if x.next(); n > len(text) {
				t.Fatal("it does not end")
			}
		}
		if _, ok := x.At(fs.Stamp{Name: "z"}); ok {
			t.Fatal("it knows a file that is not in it")
		}
	})
}
