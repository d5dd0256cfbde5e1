package ledger

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/kept"
	"github.com/forgemind/forgemind/schema"
)

// full is a decision in which every member has a value of its own: a member that
// the index forgets is missed.
func full(t testing.TB) schema.Decision {
	var d schema.Decision
	v := reflect.ValueOf(&d).Elem()
	for i := range v.NumField() {
		word := fmt.Sprintf("%s %d", v.Type().Field(i).Name, i)
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString(word)
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Float64:
			f.SetFloat(0.25)
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{word, ""}).Convert(f.Type()))
		default:
			t.Fatalf("the index cannot hold a %s", f.Type())
		}
	}
	return d
}

func TestAnIndexHoldsEveryMember(t *testing.T) {
	want := []schema.Decision{full(t), {ID: "DEC-2", Impact: []string{}}, {Boss: true}, {Immutable: true}, {}}
	var w indexWriter
	for i, d := range want {
		w.add(fs.Stamp{Name: fmt.Sprint(i), Size: -1, Inode: 7}, &d)
	}
	x := openIndex(kept.Read(bytes.NewReader(w.Bytes(heading, w.head())), heading))
	for i, d := range want {
		stamp := fs.Stamp{Name: fmt.Sprint(i), Size: -1, Inode: 7}
		var got schema.Decision
		if ok := x.decision(stamp, &got); !ok || !reflect.DeepEqual(got, d) {
			t.Errorf("got %+v, %v\nwant %+v", got, ok, d)
		}
	}
	if got := (schema.Decision{}); x.decision(fs.Stamp{Name: "9"}, &got) {
		t.Errorf("of a file that is not in it: %+v", got)
	}
}

// Whatever was kept of a decision, reading it ends, and takes no more memory than the
// text could fill.
func FuzzIndex(f *testing.F) {
	var w indexWriter
	d := full(f)
	w.add(fs.Stamp{Name: "a"}, &d)
	f.Add(w.head(), string(w.body))
	f.Add("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "")
	f.Fuzz(func(t *testing.T, head, body string) {
		var w kept.Writer
		stamp := fs.Stamp{Name: "a"}
		w.Add(stamp, []byte(body))
		index := w.Bytes(heading, head)
		x := openIndex(kept.Read(bytes.NewReader(index), heading))
		if len(x.arena) > len(index) {
			t.Fatalf("%d texts in %d bytes", len(x.arena), len(index))
		}
		x.decision(stamp, new(schema.Decision))
		if x.decision(fs.Stamp{}, new(schema.Decision)) {
			t.Fatal("a file without a name has a decision")
		}
	})
}
