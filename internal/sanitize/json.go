package sanitize

import (
	"bytes"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// JSON returns a JSON text with Text applied to its strings, however their characters
// are escaped. It returns an error if a string cannot be decoded.
func JSON(src []byte) ([]byte, error) {
	var out []byte
	for len(src) > 0 {
		at := bytes.IndexByte(src, '"')
		if at < 0 {
			break
		}
		end := at + 1
		for end < len(src) && src[end] != '"' {
			if src[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(src))
		var said string
		if err := jsonedit.Decode(src[at:end], &said); err != nil {
			return nil, err
		}
		out = append(out, src[:at]...)
		if safe := Text(said); safe == said {
			out = append(out, src[at:end]...)
		} else if value, err := jsonedit.Value(safe); err != nil {
			return nil, err
		} else {
			out = append(out, value...)
		}
		src = src[end:]
	}
	return append(out, src...), nil
}
