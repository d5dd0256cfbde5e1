package main

import (
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

// A large tree must not take twenty times the memory it needs.
func TestHurryEndsWithTheFirstCollection(t *testing.T) {
	hurry()
	if now := percent(); now <= 1000 {
		t.Fatalf("%d percent at once", now)
	}
	runtime.GC()
	for end := time.Now().Add(time.Minute); percent() != 100; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d percent after a collection", percent())
		}
	}
}

// percent returns the setting of the garbage collector.
func percent() uint64 {
	setting := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(setting)
	return setting[0].Value.Uint64()
}
