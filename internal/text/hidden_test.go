package text_test

import (
	"testing"

	"github.com/forgemind/forgemind/internal/text"
)

func TestHidden(t *testing.T) {
	for _, r := range "\x00\x07\r\x1b\x7f\u0085\u009b\u00ad\u061c\u200b\u200e\u2028\u2029\u202e\u2066\ufeff\ue000\U000e0041\U000e0100\U000f0000" {
		if !text.Hidden(r) {
			t.Errorf("%U is seen", r)
		}
	}
	for _, r := range "\t\n aé漢\u00a0\u0301\u200c\u200d\u3000\ufe0f\ufffd👩" {
		if text.Hidden(r) {
			t.Errorf("%U is hidden", r)
		}
	}
}
