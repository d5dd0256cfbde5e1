package watch

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestSettle tests when names are sent, with a clock that only moves while all
// goroutines wait. The times "at" are milliseconds since the start.
func TestSettle(t *testing.T) {
	type step struct {
		at   int
		name string // "*" means everything
	}
	storm := func(from, every, n int) (all []step) {
		for i := range n {
			all = append(all, step{from + i*every, fmt.Sprintf("f%02d", i%10)})
		}
		return all
	}
	for _, c := range []struct {
		story  string
		events []step
		want   string
	}{
		{"an isolated save is given at once", []step{{100, "a"}}, "104: a"},
		{"truncate and write are one save", []step{{100, "a"}, {102, "a"}, {103, "a"}}, "107: a"},
		{"two saves far apart are two", []step{{100, "a"}, {200, "b"}}, "104: a; 204: b"},
		{"what follows a save at once waits for quiet", []step{{100, "a"}, {110, "b"}, {115, "c"}}, "104: a; 135: b c"},
		{"what follows quiet is isolated again", []step{{100, "a"}, {110, "b"}, {140, "c"}}, "104: a; 130: b; 144: c"},
		{"many names wait for quiet", storm(100, 1, 9), "128: f00 f01 f02 f03 f04 f05 f06 f07 f08"},
		{"nobody waits longer than the limit", storm(100, 15, 20), "104: f00; 365: f00 f01 f02 f03 f04 f05 f06 f07 f08 f09; 405: f08 f09"},
		{"everything", []step{{100, "a"}, {101, "*"}}, "121: * a"},
	} {
		t.Run(c.story, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in, out := make(chan event), make(chan burst)
				start := time.Now()
				go settle(in, out)
				go func() {
					for _, e := range c.events {
						time.Sleep(time.Until(start.Add(time.Duration(e.at) * time.Millisecond)))
						in <- event{name: e.name, all: e.name == "*"}
					}
					time.Sleep(time.Second)
					close(in)
				}()
				var got []string
				for b := range out {
					names := slices.Sorted(maps.Keys(b.names))
					if b.all {
						names = append([]string{"*"}, names...)
					}
					got = append(got, fmt.Sprintf("%d: %s", time.Since(start).Milliseconds(), strings.Join(names, " ")))
				}
				if s := strings.Join(got, "; "); s != c.want {
					t.Errorf("got  %s\nwant %s", s, c.want)
				}
			})
		})
	}
}

// A busy consumer misses nothing: events that come meanwhile are added.
func TestSettleWaitsForItsConsumer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, out := make(chan event), make(chan burst)
		go settle(in, out)
		for i := range 300 {
			in <- event{name: fmt.Sprint(i)}
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Second)
		if b := <-out; len(b.names) != 300 {
			t.Errorf("%d names", len(b.names))
		}
		close(in)
		if _, open := <-out; open {
			t.Error("a second burst")
		}
	})
}

func TestIgnored(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		".forgemind":     false,
		".quaid/context": false,
		".forgemind/context/current-context.json":  false,
		".forgemind/decisions/DEC-001.json":        false,
		".forgemind/.gitignore":                    false,
		".forgemind/context/.sw":                   false,
		"README.md":                                true,
		"src/.forgemind/config.json":               true,
		".forgemind/.local":                        true,
		".quaid/.local/lock":                       true,
		".forgemind/.git/index":                    true,
		".forgemind/context/current-context.json~": true,
		".forgemind/context/.current.json.swp":     true,
		".forgemind/context/.current.json.swx":     true,
		".forgemind/context/4913":                  true,
		".forgemind/context/.#current.json":        true,
		".forgemind/context/#current.json#":        true,
		".forgemind/context/___jb_tmp___":          true,
		".forgemind/context/___jb_old___":          true,
		".forgemind/context/.fm-12.tmp":            true,
	} {
		if got := ignored(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
