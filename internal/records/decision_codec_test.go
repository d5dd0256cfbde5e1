package records

import (
	"fmt"
	"reflect"
	"testing"

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

func TestAnIndexHoldsEveryMemberOfADecision(t *testing.T) {
	for _, want := range []schema.Decision{full(t), {ID: "DEC-2", Impact: []string{}}, {Boss: true}, {Immutable: true}, {}} {
		codec := decisions()
		if got, ok := codec.decode(string(codec.encode(nil, want))); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v\nwant %+v", got, ok, want)
		}
	}
}

// Whatever was kept of a decision, reading it ends, and takes no more memory than the
// text could fill.
func FuzzDecisionCodec(f *testing.F) {
	f.Add(encodeDecision(nil, full(f)))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, body []byte) {
		d, ok := decisions().decode(string(body))
		texts := 0
		for _, list := range listsOf(&d) {
			texts += len(*list)
		}
		if texts > len(body) {
			t.Fatalf("%d texts in %d bytes", texts, len(body))
		}
		if again, ok2 := decisions().decode(string(encodeDecision(nil, d))); ok && (!ok2 || again.ID != d.ID || len(again.Files) != len(d.Files)) {
			t.Fatalf("%+v became %+v", d, again)
		}
	})
}
