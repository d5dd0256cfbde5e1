package hook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// maxDrained is how much more is taken from a pipe than is looked at, in bytes: who
// writes it must not fail.
const maxDrained = 256 << 20

// ReadObject reads what an agent says on a pipe, at most so many bytes: to the end of
// an object, for not every agent closes what it writes to. A pipe that is nil says
// nothing. Errors are those of ctx, that it is more, or that its end did not come
// within that time.
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
		return nil, errors.New("its end did not come")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// whole says whether src is a JSON object, and not the beginning of one.
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
