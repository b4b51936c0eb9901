package folder

import (
	"io"
	"io/fs"
	"path"
	"sync/atomic"

	"sivka.dev/go/file"
)

var (
	_ fs.File        = (*openFile)(nil)
	_ io.ReaderAt    = (*openFile)(nil)
	_ io.Seeker      = (*openFile)(nil)
	_ io.WriterTo    = (*openFile)(nil)
	_ fs.ReadDirFile = (*openFolder)(nil)
)

// openFile is a file that is read.
type openFile struct {
	entry  *entry
	path   string
	bytes  *io.SectionReader
	closed atomic.Bool
}

func newOpenFile(e *entry, path string, archive io.ReaderAt) *openFile {
	return &openFile{entry: e, path: path, bytes: io.NewSectionReader(e.reader(archive), 0, e.size)}
}

// result says of an error what was done with which file.
func (f *openFile) result(operation string, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return &fs.PathError{Op: operation, Path: f.path, Err: err}
}

func (f *openFile) Stat() (fs.FileInfo, error) {
	if f.closed.Load() {
		return nil, f.result("stat", fs.ErrClosed)
	}
	return info{f.entry, path.Base(f.path)}, nil
}

func (f *openFile) Read(bytes []byte) (int, error) {
	if f.closed.Load() {
		return 0, f.result("read", fs.ErrClosed)
	}
	size, err := f.bytes.Read(bytes)
	return size, f.result("read", err)
}

func (f *openFile) ReadAt(bytes []byte, offset int64) (int, error) {
	if f.closed.Load() {
		return 0, f.result("read", fs.ErrClosed)
	}
	if offset < 0 {
		return 0, f.result("read", errOffset)
	}
	size, err := f.bytes.ReadAt(bytes, offset)
	return size, f.result("read", err)
}

func (f *openFile) Seek(offset int64, whence int) (int64, error) {
	if f.closed.Load() {
		return 0, f.result("seek", fs.ErrClosed)
	}
	at, err := f.bytes.Seek(offset, whence)
	return at, f.result("seek", err)
}

// copySize is so much that several goroutines open it.
const copySize = 1 << 20

// WriteTo writes what Read would return. [io.Copy] calls it.
func (f *openFile) WriteTo(sink io.Writer) (int64, error) {
	if w, ok := sink.(*file.Writer); ok {
		// It has to know of an error, which leaves it a part.
		return w.ReadFrom(struct{ io.Reader }{f})
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	buffer := make([]byte, max(1, min(copySize, f.entry.size-at)))
	// Without this method, or each would call the other.
	written, err := io.CopyBuffer(struct{ io.Writer }{sink}, struct{ io.Reader }{f}, buffer)
	if err != nil {
		// What the sink did not take is still to be read.
		_, _ = f.bytes.Seek(at+written, io.SeekStart)
	}
	return written, err
}

// Close never fails the first time.
func (f *openFile) Close() error {
	if f.closed.Swap(true) {
		return f.result("close", fs.ErrClosed)
	}
	return nil
}

// openFolder is a folder that is listed.
type openFolder struct {
	entry  *entry
	path   string
	listed int
	closed bool
}

func (d *openFolder) failed(operation string, err error) error {
	return &fs.PathError{Op: operation, Path: d.path, Err: err}
}

func (d *openFolder) Stat() (fs.FileInfo, error) {
	if d.closed {
		return nil, d.failed("stat", fs.ErrClosed)
	}
	return info{d.entry, path.Base(d.path)}, nil
}

func (d *openFolder) Read([]byte) (int, error) { return 0, d.failed("read", errIsFolder) }

func (d *openFolder) ReadDir(count int) ([]fs.DirEntry, error) {
	if d.closed {
		return nil, d.failed("readdir", fs.ErrClosed)
	}
	left := d.entry.entries[d.listed:]
	if count > 0 {
		if len(left) == 0 {
			return nil, io.EOF
		}
		left = left[:min(count, len(left))]
	}
	d.listed += len(left)
	return append([]fs.DirEntry(nil), left...), nil
}

func (d *openFolder) Close() error {
	if d.closed {
		return d.failed("close", fs.ErrClosed)
	}
	d.closed = true
	return nil
}
