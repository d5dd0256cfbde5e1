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

// Why a file of a revision, or of the index, is not read.
var (
	ErrTooLarge  = errors.New("too large")
	ErrIrregular = errors.New("not a regular file") // a link or a submodule
)

var errMissing = errors.New("not in the repository")

// Objects is a `git cat-file --batch` that waits for questions.
type objects struct {
	dir        string
	ctx        context.Context
	cancel     context.CancelCauseFunc
	cmd        *exec.Cmd
	complaints *bounded

	mu     sync.Mutex // one question at a time
	in     io.WriteCloser
	out    *bufio.Reader
	broken error // why no question can be asked any more
}

// An object is what git stores under an id.
type object struct {
	id      string // in hexadecimal
	kind    string // blob, tree, commit or tag
	content []byte
}

func openObjects(ctx context.Context, dir string) (*objects, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	o := &objects{dir: dir, ctx: ctx, cancel: cancel}
	o.cmd, o.complaints = command(ctx, dir, "cat-file", "--batch")
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
		err = explain(ctx, err, dir, "cat-file", o.complaints)
		in.Close()
		cancel(nil)
		return nil, err
	}
	o.in, o.out = in, bufio.NewReaderSize(out, 64<<10)
	return o, nil
}

// ask returns the object that what names: an id, or a revision of one line.
// One that git does not have is errMissing; of one with more than limit bytes
// id and kind are returned, with ErrTooLarge.
func (o *objects) ask(what string, limit int64) (object, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.broken != nil {
		return object{}, o.broken
	}
	timer := time.AfterFunc(patience, func() { o.cancel(errSilent) })
	defer timer.Stop()
	found, err := o.exchange(what, limit)
	if err != nil && !errors.Is(err, errMissing) && !errors.Is(err, ErrTooLarge) {
		err = o.fail(err)
	}
	return found, err
}

func (o *objects) exchange(what string, limit int64) (object, error) {
	io.WriteString(o.in, what+"\n") // where that fails the answer is EOF, and git says why
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
		return found, fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, size, limit)
	}
	found.content = make([]byte, size+1) // with the newline that ends it
	if _, err := io.ReadFull(o.out, found.content); err != nil {
		return found, err
	}
	found.content = found.content[:size:size]
	return found, nil
}

// fail ends a process that does not answer as it should, and says why.
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
