package hook

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// Deliver writes text to out and returns within the given time, because an agent may close its input
// or never read it. The error reports why the write failed. A write that takes longer continues in
// the background.
func Deliver(out io.Writer, text []byte, within time.Duration) error {
	wrote := make(chan error, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				wrote <- fmt.Errorf("a fault in forgemind itself: %v", fault)
			}
		}()
		_, err := out.Write(text)
		wrote <- err
	}()
	select {
	case err := <-wrote:
		if err != nil {
			return fmt.Errorf("write the answer: %w", err)
		}
		return nil
	case <-time.After(within):
		return errors.New("write the answer: the agent did not read it in time")
	}
}
