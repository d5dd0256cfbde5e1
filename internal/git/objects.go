package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	errMissing  = errors.New("not in the repository")
	errTooLarge = errors.New("too large")
)

// Objects is a running `git cat-file --batch`.
type objects struct {
	dir        string
	ctx        context.Context
	cancel     context.CancelCauseFunc
	cmd        *exec.Cmd
	complaints *bounded

	mu     sync.Mutex // one request at a time
	in     io.WriteCloser
	out    *bufio.Reader
	broken error // why no more requests are possible
}

// An object is an object of git's database.
type object struct {
	id      string // in hexadecimal
	kind    string // blob, tree, commit or tag
	content []byte
}

func openObjects(ctx context.Context, where place) (*objects, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	o := &objects{dir: where.dir, ctx: ctx, cancel: cancel}
	o.cmd, o.complaints = command(ctx, where.dir, where.args("cat-file", "--batch")...)
	in, err := o.cmd.StdinPipe()
	if err != nil {
		cancel(nil)
		return nil, err
	}
	out, err := o.cmd.StdoutPipe()
	if err == nil {
		err = o.cmd.Start()
	}
	if err != nil {
		err = explain(ctx, err, where.dir, "cat-file", o.complaints)
		in.Close()
		cancel(nil)
		return nil, err
	}
	o.in, o.out = in, bufio.NewReaderSize(out, 64<<10)
	return o, nil
}

// ask returns the object what: an id, or a revision of one line. The error is
// errMissing if git does not have it. If it has more than limit bytes, ask returns id
// and kind with errTooLarge.
func (o *objects) ask(what string, limit int64) (object, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.broken != nil {
		return object{}, o.broken
	}
	timer := time.AfterFunc(patience, func() { o.cancel(errSilent) })
	defer timer.Stop()
	found, err := o.exchange(what, limit)
	if err != nil && !errors.Is(err, errMissing) && !errors.Is(err, errTooLarge) {
		err = o.fail(err)
	}
	return found, err
}

func (o *objects) exchange(what string, limit int64) (object, error) {
	io.WriteString(o.in, what+"\n") // if it fails, the answer is EOF, and git reports the reason
	line, err := o.out.ReadString('\n')
	if err != nil {
		return object{}, err
	}
	line = strings.TrimSuffix(line, "\n")
	if strings.HasSuffix(line, " missing") || strings.HasSuffix(line, " ambiguous") {
		return object{}, errMissing
	}
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return object{}, fmt.Errorf("unexpected answer %s", echo(line))
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return object{}, fmt.Errorf("unexpected answer %s", echo(line))
	}
	found := object{id: fields[0], kind: fields[1]}
	if size > limit {
		if _, err := io.CopyN(io.Discard, o.out, size+1); err != nil {
			return found, err
		}
		return found, fmt.Errorf("%w: %d bytes, at most %d", errTooLarge, size, limit)
	}
	found.content = make([]byte, size+1) // with the newline at the end
	if _, err := io.ReadFull(o.out, found.content); err != nil {
		return found, err
	}
	found.content = found.content[:size:size]
	return found, nil
}

// fail ends a process that did not answer correctly, and returns the reason.
func (o *objects) fail(err error) error {
	o.in.Close()
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		o.cancel(err)
	}
	if ended := o.cmd.Wait(); ended != nil {
		err = ended
	}
	o.broken = explain(o.ctx, err, o.dir, "cat-file", o.complaints)
	o.cancel(nil)
	return o.broken
}

// close ends the process. It may be called twice.
func (o *objects) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.broken != nil {
		return
	}
	o.broken = errors.New("git cat-file: closed")
	o.in.Close()
	o.cancel(nil)
	o.cmd.Wait()
}
