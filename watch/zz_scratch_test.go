package watch

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"
)

func TestZLatency(t *testing.T) {
	s := stage(t, map[string]string{state: text}).watch(Options{})
	for _, way := range []string{"rename", "truncate", "truncate, 3 ms, write"} {
		var all []time.Duration
		early := 0
		for i := range 200 {
			time.Sleep(45 * time.Millisecond)
			want := fmt.Sprintf("%s %d %s", text, i, way)
			var t0 time.Time
			switch way {
			case "rename":
				s.write(".forgemind/.local/x", want)
				t0 = time.Now()
				s.rename(".forgemind/.local/x", state)
			case "truncate":
				t0 = time.Now()
				os.WriteFile(s.path(state), []byte(want), 0o644)
			default:
				f, _ := os.OpenFile(s.path(state), os.O_WRONLY|os.O_TRUNC, 0)
				time.Sleep(3 * time.Millisecond)
				t0 = time.Now()
				f.WriteString(want)
				f.Close()
			}
			s.next()
			all = append(all, time.Since(t0))
			if s.on(state) != want {
				early++
			}
		}
		slices.Sort(all)
		fmt.Println(way, "p50", all[100], "p99", all[198], "early", early)
	}
}

func TestZBurst(t *testing.T) {
	for range 3 {
		s := stage(t, map[string]string{state: text}).watch(Options{})
		s.mkdir(".forgemind/decisions")
		n := 10000
		big := make([]byte, 7000)
		done := make(chan time.Time, 1)
		go func() {
			for i := range n {
				os.WriteFile(s.path(fmt.Sprintf(".forgemind/decisions/DEC-%05d.json", i)), big, 0o644)
			}
			done <- time.Now()
		}()
		seen := map[string]int{}
		total := 0
		batches := 0
		start := time.Now()
		for len(seen) < n {
			b := s.next()
			batches++
			for _, x := range b.Names {
				seen[x]++
				total++
			}
		}
		last := <-done
		fmt.Println("written in", last.Sub(start), "all seen after the last write", time.Since(last), "given", total, "batches", batches)
	}
}
