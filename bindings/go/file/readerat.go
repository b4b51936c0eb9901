package file

import (
	"errors"
	"io"
	"sync"
)

var _ io.ReaderAt = (*ReaderAt)(nil)

// errOffset is what other readers in Go return.
var errOffset = errors.New("file: negative offset")

var errSize = errors.New("file: negative size")

// ReaderAt opens any part of a file. Only the chunks that are asked for are
// read and opened. Any number of goroutines may use one.
//
// For an [io.ReadSeeker], make an [io.SectionReader] of it:
//
//	io.NewSectionReader(r, 0, r.Size())
type ReaderAt struct {
	opened
	source io.ReaderAt
	// chunksAt is where the first chunk begins, size the length of the content,
	// and last the number of the last chunk.
	chunksAt, size, last int64

	mutex sync.Mutex
	// kept is the number of the chunk that was opened last for a part of it, and
	// its text. The text is never written to again.
	kept     int64
	keptText []byte
}

// NewReaderAt opens a file of so many bytes with one of the keys. It opens the
// last chunk, so that the length of the content is authentic. The errors are
// those of [NewReader] and of the last chunk, and [ErrTooLong] for a size that
// no file has. A source with fewer bytes is truncated, now or when it is read.
func NewReaderAt(source io.ReaderAt, size int64, keys []Key, options *ReaderOptions) (*ReaderAt, error) {
	if size < 0 {
		return nil, errSize
	}
	head := io.NewSectionReader(source, 0, size)
	o, _, chunksAt, err := readHead(head, keys, options.orDefault())
	if err != nil {
		return nil, err
	}
	sealedSize, tagSize := int64(o.key.sealedSize()), int64(o.key.suite.tagSize)
	last, rest := (size-chunksAt)/sealedSize, (size-chunksAt)%sealedSize
	if rest < tagSize {
		return nil, &Error{Name: "truncated", Chunk: last}
	}
	if last >= maxChunks {
		return nil, ErrTooLong
	}
	r := &ReaderAt{opened: *o, source: source, chunksAt: chunksAt, size: last*ChunkSize + rest - tagSize, last: last, kept: -1}
	if _, err := r.keep(last); err != nil {
		return nil, err
	}
	return r, nil
}

// Size returns the length of the content in bytes, which is authentic.
func (r *ReaderAt) Size() int64 { return r.size }

// ReadAt opens bytes from an offset on. If a chunk does not open, it returns
// the bytes before it and an [*Error], and writes zeros or nothing to the rest.
func (r *ReaderAt) ReadAt(bytes []byte, offset int64) (int, error) {
	if offset < 0 {
		return 0, errOffset
	}
	if offset >= r.size {
		return 0, io.EOF
	}
	wanted := bytes[:min(int64(len(bytes)), r.size-offset)]
	done := 0
	for done < len(wanted) {
		chunk, within := (offset+int64(done))/ChunkSize, int((offset+int64(done))%ChunkSize)
		var size int
		var err error
		if count := r.whole(chunk, within, len(wanted)-done); count > 0 {
			size, err = r.openTo(wanted[done:], chunk, count)
		} else {
			var text []byte
			text, err = r.keep(chunk)
			if err == nil {
				size = copy(wanted[done:], text[within:])
			}
		}
		done += size
		if err != nil {
			return done, err
		}
	}
	if done < len(bytes) {
		return done, io.EOF
	}
	return done, nil
}

// whole returns how many whole inner chunks are opened next.
func (r *ReaderAt) whole(chunk int64, within, size int) int {
	if within != 0 {
		return 0
	}
	count := min(int64(size/ChunkSize), r.last-chunk)
	return int(min(count, int64(r.goroutines*groupSize)))
}

// openTo opens chunks to text, and returns how much of it is authentic.
func (r *ReaderAt) openTo(text []byte, chunk int64, count int) (int, error) {
	sealed := make([]byte, r.sealedSize(chunk, count))
	size, err := r.source.ReadAt(sealed, r.chunksAt+chunk*int64(r.key.sealedSize()))
	if size != len(sealed) {
		if err != nil && err != io.EOF {
			return 0, sourceFailed(err)
		}
		// It is shorter than its size was said to be.
		count = max(0, min(size, len(sealed))) / r.key.sealedSize()
		sealed, err = sealed[:count*r.key.sealedSize()], &Error{Name: "truncated", Chunk: chunk + int64(count)}
	} else {
		err = nil
	}
	good := r.key.open(text, sealed, chunk, count, r.goroutines)
	if good < count {
		bad := chunk + int64(good)
		return good * ChunkSize, notOpened(bad, bad == r.last)
	}
	return len(sealed) - count*r.key.suite.tagSize, err
}

// sealedSize returns the length of so many sealed chunks.
func (r *ReaderAt) sealedSize(chunk int64, count int) int {
	if chunk+int64(count) <= r.last {
		return count * r.key.sealedSize()
	}
	return (count-1)*r.key.sealedSize() + int(r.size%ChunkSize) + r.key.suite.tagSize
}

// keep returns the text of a chunk, and keeps it for the next reads.
func (r *ReaderAt) keep(chunk int64) ([]byte, error) {
	r.mutex.Lock()
	kept, text := r.kept, r.keptText
	r.mutex.Unlock()
	if kept == chunk {
		return text, nil
	}
	text = make([]byte, ChunkSize)
	size, err := r.openTo(text, chunk, 1)
	if err != nil {
		return nil, err
	}
	r.mutex.Lock()
	r.kept, r.keptText = chunk, text[:size]
	r.mutex.Unlock()
	return text[:size], nil
}
