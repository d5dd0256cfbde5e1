package fs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path"
)

// copyBlock is the number of bytes that are copied or compared before the context is
// checked again.
const copyBlock = 1 << 20

// A CopyUpdate describes how Update changed a copy.
type CopyUpdate struct {
	Made     bool  // the copy is new
	Replaced bool  // the previous copy became a former copy
	Changed  bool  // bytes were written
	Written  int64 // bytes written
}

// Update brings the copy of name up to date with the file in the tree. A copy with the
// same size and time counts as up to date; otherwise the bytes are compared. JSONL is
// copied in blocks: new lines at its end are appended to the copy. If the file became
// shorter, or begins differently from its copy, the copy becomes a former copy and a
// new one is made. Other files are replaced as a whole. A copy is durable when Update
// returns.
//
// If ctx ends, the JSONL copied until then stays, and the next Update continues after
// it; the error is that of ctx. The error is io/fs.ErrNotExist if the file is missing,
// and ErrIrregular if it is not a regular file with one link.
func (c *CopyDir) Update(ctx context.Context, t *Tree, name string) (CopyUpdate, error) {
	if err := admitWrite(name); err != nil {
		return CopyUpdate{}, err
	}
	src, m, err := t.openFile(name)
	if err != nil {
		return CopyUpdate{}, err
	}
	defer src.Close()
	there, err := c.root.Lstat(copyOf(name))
	switch {
	case err == nil && there.Mode().IsRegular() && there.Size() == m.size && there.ModTime().Equal(m.changed):
		return CopyUpdate{}, nil
	case err != nil && !isNotExist(err):
		return CopyUpdate{}, named(copyOf(name), err)
	}
	if err := c.root.MkdirAll(path.Dir(copyOf(name)), 0o700); err != nil {
		return CopyUpdate{}, named(copyOf(name), err)
	}
	done := CopyUpdate{Made: there == nil}
	if isJSONL(name) {
		err = c.extend(ctx, src, m.size, name, &done)
	} else {
		err = c.replaceWhole(src, name, &done)
	}
	if err == nil {
		err = c.stampLike(t, name, m)
	}
	return done, err
}

// replaceWhole replaces the copy of name with the bytes of src.
func (c *CopyDir) replaceWhole(src io.Reader, name string, done *CopyUpdate) error {
	data, err := io.ReadAll(io.LimitReader(src, maxFile+1))
	if err != nil {
		return named(name, err)
	}
	if err := (meta{size: int64(len(data))}).fits(name); err != nil {
		return err
	}
	var old []byte
	if !done.Made {
		if old, err = c.Read(copyOf(name)); err != nil || bytes.Equal(old, data) {
			return err
		}
	}
	_, err = c.Replace(copyOf(name), old, data, 0o600)
	done.Changed, done.Written = err == nil, int64(len(data))
	return err
}

// extend appends to the copy of name those of the first size bytes of src that it
// lacks.
func (c *CopyDir) extend(ctx context.Context, src io.ReaderAt, size int64, name string, done *CopyUpdate) error {
	dst, now, err := c.open(copyOf(name), os.O_RDWR|os.O_CREATE)
	if err != nil {
		return err
	}
	defer func() { dst.Close() }()
	same := now.size <= size
	if same {
		if same, err = sameStart(ctx, src, dst, now.size); err != nil {
			return err
		}
	}
	if !same {
		done.Replaced = true
		if err := c.keepFormer(name); err != nil {
			return err
		}
		dst.Close()
		if dst, now, err = c.open(copyOf(name), os.O_RDWR|os.O_CREATE); err != nil {
			return err
		}
	}
	if now.size == size && !done.Made {
		return nil
	}
	done.Changed = true
	if done.Written, err = appendFrom(ctx, dst, now.size, src, size); err != nil && ctx.Err() == nil {
		return errors.Join(named(copyOf(name), err), dst.Truncate(now.size)) // free the space of the partial copy
	}
	err = errors.Join(err, dst.Sync())
	if done.Made || done.Replaced {
		err = errors.Join(err, c.sync(path.Dir(copyOf(name))))
	}
	return err
}

// appendFrom writes the bytes of src between the offsets from and to to the same place
// in dst. It returns the number of bytes written.
func appendFrom(ctx context.Context, dst io.WriterAt, from int64, src io.ReaderAt, to int64) (written int64, err error) {
	buf := make([]byte, min(copyBlock, to-from))
	for at := from; at < to; {
		if err := ctx.Err(); err != nil {
			return written, err
		}
		n := min(int64(len(buf)), to-at)
		if _, err := src.ReadAt(buf[:n], at); err != nil {
			return written, err // also if the file became shorter meanwhile
		}
		if _, err := dst.WriteAt(buf[:n], at); err != nil {
			return written, err
		}
		at, written = at+n, written+n
	}
	return written, nil
}

// sameStart reports whether a and b begin with the same n bytes. It returns false if
// either is shorter.
func sameStart(ctx context.Context, a, b io.ReaderAt, n int64) (bool, error) {
	one, other := make([]byte, min(copyBlock, n)), make([]byte, min(copyBlock, n))
	for at := int64(0); at < n; at += int64(len(one)) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		size := min(int64(len(one)), n-at)
		for _, read := range []struct {
			from io.ReaderAt
			to   []byte
		}{{a, one[:size]}, {b, other[:size]}} {
			if _, err := read.from.ReadAt(read.to, at); err == io.EOF {
				return false, nil
			} else if err != nil {
				return false, err
			}
		}
		if !bytes.Equal(one[:size], other[:size]) {
			return false, nil
		}
	}
	return true, nil
}
