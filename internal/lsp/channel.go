package lsp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/creachadair/jrpc2/channel"
)

// maxMessage is the size of the longest message that is read, in bytes.
const maxMessage = 64 << 20

// maxHeader is the length of the longest line of a header, in bytes.
const maxHeader = 4 << 10

// A wire is a channel with the framing of the protocol. Unlike channel.LSP it limits the size of
// a message, Close interrupts Recv even if the input cannot be interrupted, and Send does not wait for
// an editor that sends before it reads.
type wire struct {
	channel.Channel // sends
	out             *outbox
	messages        chan message
	closed          chan struct{}
	close           sync.Once
}

// endOfInput is the method of a notification that stands for the end of the input, so that the
// requests before it are answered.
const endOfInput = "$/endOfInput"

// A message is a message that was read, or the reason why there are no more.
type message struct {
	text []byte
	err  error
}

// newWire returns a wire and begins to read from in.
func newWire(in io.Reader, out io.Writer) *wire {
	o := newOutbox(out)
	w := &wire{Channel: channel.LSP(strings.NewReader(""), o), out: o, messages: make(chan message), closed: make(chan struct{})}
	go w.read(bufio.NewReaderSize(in, maxHeader))
	return w
}

// Recv implements channel.Channel.
func (w *wire) Recv() ([]byte, error) {
	select {
	case m := <-w.messages:
		return m.text, m.err
	case <-w.closed:
		return nil, channel.ErrClosed
	}
}

// Close implements channel.Channel.
func (w *wire) Close() error {
	w.close.Do(func() { close(w.closed) })
	return nil
}

// read reads messages until the end. If the input cannot be interrupted, it runs longer than the
// wire.
func (w *wire) read(in *bufio.Reader) {
	for {
		text, err := readMessage(in)
		end := err == io.EOF
		if end {
			text, err = []byte(`{"jsonrpc":"2.0","method":"`+endOfInput+`"}`), nil
		}
		select {
		case w.messages <- message{text, err}:
		case <-w.closed:
			return
		}
		if err != nil || end {
			return
		}
	}
}

// readMessage reads one message. A header without a usable length ends the connection, because
// nothing tells where the next message begins.
func readMessage(in *bufio.Reader) ([]byte, error) {
	size := -1
	for {
		line, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, errors.New("read a message: a line of its header is too long")
		case err == io.EOF && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		}
		name, value, found := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		if name == "" && !found {
			break
		}
		if strings.EqualFold(name, "content-length") {
			if size, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return nil, fmt.Errorf("read a message: %q is no length", value)
			}
		}
	}
	switch {
	case size < 0:
		return nil, errors.New("read a message: its header has no Content-Length")
	case size > maxMessage:
		return nil, fmt.Errorf("read a message: it has %d bytes, and at most %d are read", size, maxMessage)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return text, nil
}
