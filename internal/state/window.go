package state

import (
	"bytes"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

const window = "/context_window"

// inWindow reports whether pointer is a figure of the context window.
func inWindow(pointer string) bool {
	return pointer == window || strings.HasPrefix(pointer, window+"/")
}

// MendWindow updates the figures that depend on total_tokens and used_tokens: available_tokens =
// total − used, usage_percent = 100 × used / total (rounded to one decimal), needs_compaction =
// usage ≥ compaction_threshold_percent. It adds no members that the State lacks.
func MendWindow(src []byte) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	total, okTotal := figure(doc, window+"/total_tokens")
	used, okUsed := figure(doc, window+"/used_tokens")
	if !okTotal || !okUsed || total <= 0 {
		return src, nil
	}
	percent := usage(used, total)
	derived := []member{
		{window + "/usage_percent", percent},
		{window + "/available_tokens", total - used},
	}
	if threshold, ok := figure(doc, window+"/compaction_threshold_percent"); ok {
		derived = append(derived, member{window + "/needs_compaction", percent >= threshold})
	}
	for _, m := range derived {
		if doc.Find(m.pointer) < 0 {
			continue
		}
		if src, err = put(src, m); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// SetThresholds records the thresholds of the policy in the window, in percent. It adds no members
// that the State lacks.
func SetThresholds(src []byte, compaction, emergency float64) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	before := src
	for _, m := range []member{{window + "/compaction_threshold_percent", compaction}, {window + "/emergency_threshold_percent", emergency}} {
		if now, ok := figure(doc, m.pointer); !ok || now == m.value {
			continue
		}
		if src, err = put(src, m); err != nil {
			return nil, err
		}
	}
	if bytes.Equal(src, before) {
		return src, nil
	}
	return MendWindow(src)
}

// figure returns a number.
func figure(doc *jsonedit.Doc, pointer string) (float64, bool) {
	i := doc.Find(pointer)
	if i < 0 {
		return 0, false
	}
	return doc.Float(i)
}

// stringAt returns the string at a pointer; "" if there is none.
func stringAt(doc *jsonedit.Doc, pointer string) string {
	i := doc.Find(pointer)
	if i < 0 {
		return ""
	}
	s, _ := doc.Str(i)
	return s
}
