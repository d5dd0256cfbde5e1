package records

import "testing"

// TestStamp holds what tells an edit of a view from a rendering.
func TestStamp(t *testing.T) {
	view, err := Stamp([]byte("{\n  \"id\": \"thread-1\",\n  \"status\": \"active\"\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Stamp(view)
	if err != nil || string(again) != string(view) {
		t.Errorf("stamped twice it is %s, %v", again, err)
	}
	_, hash, err := StampOf(view, stampMember)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, view string
		rendering  bool
	}{
		{"as it was rendered", string(view), true},
		{"laid out anew", `{"rendered": "` + hash + `", "status": "active", "id": "thread-1"}`, true},
		{"without a stamp", `{"id": "thread-1", "status": "active"}`, false},
		{"with another value", `{"rendered": "` + hash + `", "status": "resolved", "id": "thread-1"}`, false},
		{"with one more member", `{"rendered": "` + hash + `", "status": "active", "id": "thread-1", "mood": 1}`, false},
		{"with the stamp of another", `{"rendered": "x", "status": "active", "id": "thread-1"}`, false},
		{"no object", `[]`, false},
		{"torn", `{"rendered": "`, false},
	} {
		if got := IsRendering([]byte(c.view)); got != c.rendering {
			t.Errorf("a view %s: %v", c.what, got)
		}
	}
}
