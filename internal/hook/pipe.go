package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// maxDrained is the number of additional bytes that are read from a pipe and dropped, so that the
// writer does not fail.
const maxDrained = 256 << 20

// ReadObject reads at most most bytes from a pipe up to the end of a JSON object, because some
// agents never close the pipe. A nil pipe is empty. The error is that of ctx, or reports that the
// input is too long or did not end within the given time.
func ReadObject(ctx context.Context, in io.Reader, most int, within time.Duration) ([]byte, error) {
	if in == nil {
		return nil, nil
	}
	type text struct {
		src []byte
		err error
	}
	got := make(chan text, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				got <- text{nil, fmt.Errorf("a fault in forgemind itself: %v", fault)}
			}
		}()
		var src []byte
		for buf := make([]byte, 64<<10); len(src) <= most; {
			n, err := in.Read(buf)
			src = append(src, buf[:n]...)
			if err != nil || n > 0 && n < len(buf) && whole(src) {
				got <- text{src, nil}
				return
			}
		}
		_, _ = io.CopyN(io.Discard, in, maxDrained)
		got <- text{nil, fmt.Errorf("more than %d bytes", most)}
	}()
	select {
	case t := <-got:
		return t.src, t.err
	case <-time.After(within):
		return nil, errors.New("the input did not end in time")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// whole reports whether src is a complete JSON object.
func whole(src []byte) bool {
	for i := len(src) - 1; i >= 0; i-- {
		switch src[i] {
		case ' ', '\n', '\r', '\t':
			continue
		case '}':
			_, err := jsonedit.Parse(src)
			return err == nil
		}
		return false
	}
	return false
}
