package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/sanitize"
)

const (
	maxMessage = 4 << 20          // bytes
	patience   = 10 * time.Second // for answers after the end of the input
)

// A wire transfers messages as lines. Unlike the transport of the library it continues after an
// invalid line, and ends only after every request before the end of the input is answered. So
// `printf … | forgemind mcp` prints all answers.
type wire struct {
	in  io.Reader
	out io.Writer

	lines  chan line
	queue  []jsonrpc.Message // remaining messages of a batch
	closed chan struct{}
	close  sync.Once

	mu      sync.Mutex // guards writing and unsaid
	unsaid  map[jsonrpc.ID]bool
	allSaid chan struct{} // closed when unsaid is empty; nil while nobody waits
}

// A line is a line that was read, or the reason why there are no more. The member long marks a line
// that was too long to be kept.
type line struct {
	text []byte
	long bool
	err  error
}

// Connect implements sdk.Transport.
func (w *wire) Connect(context.Context) (sdk.Connection, error) {
	w.lines, w.closed, w.unsaid = make(chan line), make(chan struct{}), map[jsonrpc.ID]bool{}
	go w.readLines()
	return w, nil
}

// SessionID implements sdk.Connection.
func (w *wire) SessionID() string { return "" }

// Close implements sdk.Connection.
func (w *wire) Close() error {
	w.close.Do(func() { close(w.closed) })
	return nil
}

// readLines reads until the end. If the input cannot be interrupted, it runs longer than the wire.
func (w *wire) readLines() {
	in := bufio.NewReaderSize(w.in, 64<<10)
	for {
		var l line
		part, err := in.ReadSlice('\n')
		for {
			if l.long = l.long || len(l.text)+len(part) > maxMessage; !l.long {
				l.text = append(l.text, part...)
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
			part, err = in.ReadSlice('\n')
		}
		w.send(l)
		if err != nil {
			w.send(line{err: err})
			return
		}
		select {
		case <-w.closed:
			return
		default:
		}
	}
}

func (w *wire) send(l line) {
	select {
	case w.lines <- l:
	case <-w.closed:
	}
}

// Read implements sdk.Connection.
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	for len(w.queue) == 0 {
		select {
		case l := <-w.lines:
			if l.err != nil {
				return nil, w.end(ctx, l.err)
			}
			if err := w.take(l); err != nil {
				return nil, err
			}
		case <-w.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	m := w.queue[0]
	w.queue = w.queue[1:]
	return m, nil
}

// end waits until all requests are answered.
func (w *wire) end(ctx context.Context, err error) error {
	w.mu.Lock()
	said := make(chan struct{})
	if w.allSaid = said; len(w.unsaid) == 0 {
		close(said)
		w.allSaid = nil
	}
	w.mu.Unlock()
	select {
	case <-said:
	case <-w.closed:
	case <-ctx.Done():
	case <-time.After(patience):
	}
	return err
}

// take adds the messages of a line to the queue, and answers invalid ones.
func (w *wire) take(l line) error {
	text := bytes.TrimSpace(l.text)
	if l.long {
		return w.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message of more than %d bytes is not read", maxMessage))
	}
	if len(text) == 0 {
		return nil
	}
	doc, err := jsonedit.Parse(text)
	if err != nil {
		return w.refuse(nil, jsonrpc.CodeParseError, "this is no JSON: "+clip(err.Error(), 300))
	}
	if text[0] != '[' {
		return w.admit(doc, 0)
	}
	empty := true
	for i := range doc.Children(0) { // one version of the protocol has batches
		empty = false
		if err := w.admit(doc, i); err != nil {
			return err
		}
	}
	if empty {
		return w.refuse(nil, jsonrpc.CodeInvalidRequest, "an empty batch asks nothing")
	}
	return nil
}

// admit adds the message at node i to the queue.
func (w *wire) admit(doc *jsonedit.Doc, i int) error {
	m, err := jsonrpc.DecodeMessage(doc.Raw(i))
	if err != nil {
		var id []byte
		if at := doc.Member(i, "id"); at >= 0 {
			id = doc.Raw(at)
		}
		return w.refuse(id, jsonrpc.CodeInvalidRequest, "this is no JSON-RPC message: "+clip(err.Error(), 300))
	}
	if req, ok := m.(*jsonrpc.Request); ok && req.IsCall() && req.Method != "subscriptions/listen" { // a subscription lasts until the connection ends
		w.mu.Lock()
		w.unsaid[req.ID] = true
		w.mu.Unlock()
	}
	w.queue = append(w.queue, m)
	return nil
}

// refuse answers an invalid message.
func (w *wire) refuse(id []byte, code int64, why string) error {
	type fault struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
	}
	answer := struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   fault           `json:"error"`
	}{"2.0", json.RawMessage("null"), fault{code, sanitize.Text(why)}}
	if len(id) > 0 && len(id) < 200 && (id[0] == '"' || id[0] >= '0' && id[0] <= '9') {
		answer.ID = id
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.print(text)
}

// Write implements sdk.Connection.
func (w *wire) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	answer, ok := m.(*jsonrpc.Response)
	if err != nil && ok { // an answer that cannot be written does not affect the others
		text, err = jsonrpc.EncodeMessage(&jsonrpc.Response{ID: answer.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the answer cannot be written as JSON"}})
	}
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	err = w.print(text)
	if ok {
		delete(w.unsaid, answer.ID)
		if len(w.unsaid) == 0 && w.allSaid != nil {
			close(w.allSaid)
			w.allSaid = nil
		}
	}
	return err
}

// print writes one line. The caller holds the lock.
func (w *wire) print(text []byte) error {
	_, err := w.out.Write(append(text, '\n'))
	return err
}
