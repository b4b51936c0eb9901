package file

import (
	"io"
	"slices"
)

var (
	_ io.WriteCloser = (*Writer)(nil)
	_ io.ReaderFrom  = (*Writer)(nil)
)

// WriterOptions say how to seal. The zero value and nil are the defaults.
type WriterOptions struct {
	// Suite seals the chunks: [AES256GCMSIV] unless it says otherwise.
	Suite *Suite
	// Kind is the kind of the content, [FileKind] by default. The content of other
	// kinds must have the form that section 5.1 of the specification names; a
	// Writer does not check it.
	Kind Kind
	// Cost is that of every slot with a passphrase: [DefaultCost] if it is
	// zero. Argon2id of golang.org/x/crypto takes its memory from the Go
	// runtime, which ends the program if there is not so much.
	Cost Cost
	// Goroutines is the most that work at once, at least 1: GOMAXPROCS if it is
	// 0. The bytes do not depend on it. A Writer buffers up to half a MiB for
	// each.
	Goroutines int
}

// Writer seals the bytes that are written to it.
//
// Only [Writer.Finish] ends a file. [Writer.Close] does not: it gives up an
// unfinished file, which never opens then. So a deferred Close is right, and a
// failure or panic before Finish never leaves a file that looks whole. Only one
// goroutine may use a Writer at a time.
type Writer struct {
	sink io.Writer
	key  *chunkKey
	// text waits to be sealed. Its capacity is a multiple of ChunkSize, and
	// grows as the file does.
	text, sealed []byte
	chunk        int64
	goroutines   int
	// failure is the error that every later call returns.
	failure error
}

// NewWriter writes the header of a new file to sink, which opens with any of
// 1 to 64 keys. Nil options are the defaults.
//
// The errors are [ErrKeyCount], [ErrKey], [ErrSuite], [ErrUnknownKind],
// [ErrBadCost], [sivka.ErrSelfCheck] and those of sink. Only after an error of sink may something have been written.
func NewWriter(sink io.Writer, keys []Key, options *WriterOptions) (*Writer, error) {
	if options == nil {
		options = new(WriterOptions)
	}
	suite, cost := options.Suite, options.Cost
	if suite == nil {
		suite = AES256GCMSIV
	}
	if err := checkSuites(suite); err != nil {
		return nil, err
	}
	if options.Kind > CompressedFolderKind {
		return nil, ErrUnknownKind
	}
	if cost == (Cost{}) {
		cost = DefaultCost()
	}
	header, fileKey, err := newHeader(suite, options.Kind, keys, cost)
	if err != nil {
		return nil, err
	}
	defer clear(fileKey)
	key, head, err := newPayload(suite, fileKey, header.salt(), options.Kind)
	if err != nil {
		return nil, err
	}
	w := &Writer{sink: sink, key: key, goroutines: goroutinesOr(options.Goroutines)}
	w.grow()
	return w, w.write(slices.Concat(header.bytes, header.bytes, head))
}

// Seal writes all that source has to sink, as a new file, and returns the
// number of bytes of plaintext. If it returns an error, also one of source, the
// output in sink does not open.
func Seal(sink io.Writer, source io.Reader, keys []Key, options *WriterOptions) (int64, error) {
	w, err := NewWriter(sink, keys, options)
	if err != nil {
		return 0, err
	}
	size, err := w.ReadFrom(source)
	if err == nil {
		err = w.Finish()
	}
	return size, err
}

// Write seals bytes. The returned number was taken; up to some chunks of it are
// kept until more is written, or Finish is called. After an error of the sink,
// Write and Finish return that error, and the file can't be ended.
func (w *Writer) Write(bytes []byte) (int, error) {
	taken := 0
	for taken < len(bytes) && w.failure == nil {
		rest := bytes[taken:]
		if len(w.text) == 0 && len(rest) >= cap(w.text) {
			// Whole chunks are sealed from where they are.
			rest = rest[:min(len(rest)/ChunkSize*ChunkSize, w.limit())]
			if w.seal(rest) == nil {
				taken += len(rest)
			}
			continue
		}
		size := min(len(rest), cap(w.text)-len(w.text))
		w.text = append(w.text, rest[:size]...)
		if w.sealFull() == nil {
			taken += size
		}
	}
	return taken, w.failure
}

// ReadFrom seals what source has until its end. [io.Copy] calls it.
//
// After an error of source, Finish fails with that error: what could not be
// read to its end never becomes a whole file.
func (w *Writer) ReadFrom(source io.Reader) (int64, error) {
	total := int64(0)
	for w.failure == nil {
		// Also if source panics, and somebody recovers from that.
		w.failure = ErrUnfinished
		size, ended, err := readUpTo(source, w.text[len(w.text):cap(w.text)], 1)
		w.failure = nil
		w.text = w.text[:len(w.text)+size]
		total += int64(size)
		if w.sealFull() == nil && err != nil {
			w.failure = err
		}
		if ended {
			break
		}
	}
	return total, w.failure
}

// Finish seals the remaining bytes and the end of the file. It does not close
// the sink. Later calls return [ErrFinished].
func (w *Writer) Finish() error {
	if w.failure != nil {
		return w.failure
	}
	count := len(w.text)/ChunkSize + 1
	if err := w.sealChunks(w.text, count); err != nil {
		return err
	}
	clear(w.text)
	w.key.aead.Wipe()
	w.failure = ErrFinished
	return nil
}

// Close gives the file up and returns [ErrUnfinished], unless Finish has ended
// it: then it returns nil. It does not close the sink.
func (w *Writer) Close() error {
	if w.failure == ErrFinished {
		return nil
	}
	if w.failure == nil {
		w.failure = ErrUnfinished
	}
	clear(w.text)
	w.key.aead.Wipe()
	return ErrUnfinished
}

// limit is how many bytes are sealed at once.
func (w *Writer) limit() int { return w.goroutines * groupSize * ChunkSize }

// grow makes the buffer a chunk at first, then a group, and doubles it up to
// the limit.
func (w *Writer) grow() {
	if size := min(grown(cap(w.text)/ChunkSize)*ChunkSize, w.limit()); size > cap(w.text) {
		clear(w.text[:cap(w.text)])
		w.text = make([]byte, 0, size)
	}
}

// sealFull seals the buffer if it is full.
func (w *Writer) sealFull() error {
	if w.failure != nil || len(w.text) < cap(w.text) {
		return w.failure
	}
	if err := w.seal(w.text); err != nil {
		return err
	}
	w.text = w.text[:0]
	w.grow()
	return nil
}

// seal seals whole chunks, after which others must follow.
func (w *Writer) seal(text []byte) error {
	return w.sealChunks(text, len(text)/ChunkSize)
}

func (w *Writer) sealChunks(text []byte, count int) error {
	if w.chunk+int64(count) > maxChunks {
		w.failure = ErrTooLong
		return w.failure
	}
	if size := count * w.key.sealedSize(); cap(w.sealed) < size {
		w.sealed = make([]byte, size)
	}
	sealed := w.key.seal(w.sealed[:cap(w.sealed)], text, w.chunk, count, w.goroutines)
	w.chunk += int64(count)
	return w.write(sealed)
}

// write writes to the sink. After a failure, even a panic that somebody
// recovers from, nobody knows how much of it was written.
func (w *Writer) write(bytes []byte) error {
	w.failure = ErrUnfinished
	size, err := w.sink.Write(bytes)
	if err == nil && size != len(bytes) {
		err = io.ErrShortWrite
	}
	w.failure = err
	return err
}
