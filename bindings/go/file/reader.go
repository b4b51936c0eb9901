package file

import (
	"bytes"
	"fmt"
	"io"
)

var (
	_ io.Reader   = (*Reader)(nil)
	_ io.WriterTo = (*Reader)(nil)
)

// ReaderOptions say how to open. The zero value and nil are the defaults.
type ReaderOptions struct {
	// MaxCost is the most that a passphrase slot may cost: [DefaultMaxCost] if
	// it is zero. No parameter of a slot may be more, and all that are tried
	// together not more than memory times passes. The Go runtime ends the
	// program if there is not so much memory.
	MaxCost Cost
	// Suites are the known ones beside [AES256GCMSIV] and [XChaCha20BLAKE2b].
	Suites []*Suite
	// Compressed gives a compressed content as it is, in the frames of Zstandard
	// that docs/spec/compression-v1.md describes: see [Reader.Kind]. Without it,
	// such a file is [ErrCompressed].
	Compressed bool
	// Goroutines is the most that work at once, at least 1: GOMAXPROCS if it is
	// 0. A reader buffers up to half a MiB for each.
	Goroutines int
}

// orDefault returns the options, with defaults for the empty ones.
func (o *ReaderOptions) orDefault() ReaderOptions {
	var made ReaderOptions
	if o != nil {
		made = *o
	}
	if made.MaxCost == (Cost{}) {
		made.MaxCost = DefaultMaxCost()
	}
	made.Goroutines = goroutinesOr(made.Goroutines)
	return made
}

// Reader opens a file from its beginning on. It returns no byte of a chunk
// that was not authenticated, and [io.EOF] only at the authentic end. Only one
// goroutine may use a Reader at a time.
type Reader struct {
	opened
	source io.Reader
	// sealed holds bytes that were read; the last size of them were not opened
	// yet.
	sealed, text []byte
	size         int
	// ready is plaintext that was not returned yet.
	ready []byte
	chunk int64
	// failure comes after ready; io.EOF at the end.
	failure error
}

// NewReader reads the header of a file, and opens it with one of the keys. Key
// files are tried first, because they cost nothing. Nil options are the
// defaults.
//
// An error is an [*Error], [ErrKey], [ErrSuite], [ErrCompressed],
// [sivka.ErrSelfCheck], or wraps that of source.
func NewReader(source io.Reader, keys []Key, options *ReaderOptions) (*Reader, error) {
	o, chunks, _, err := readHead(source, keys, options.orDefault())
	if err != nil {
		return nil, err
	}
	return &Reader{opened: *o, source: chunks}, nil
}

// opened is a file whose header was found.
type opened struct {
	key          *chunkKey
	suite        *Suite
	kind         Kind
	copiesDiffer bool
	goroutines   int
}

// Suite returns the suite of the file.
func (o *opened) Suite() *Suite { return o.suite }

// Kind returns the kind of the content.
func (o *opened) Kind() Kind { return o.kind }

// CopiesDiffer reports whether one of the two copies of the header is older
// than the one that was used, damaged or missing. The content is as whole as
// with both; "sivka slot" mends the header.
func (o *opened) CopiesDiffer() bool { return o.copiesDiffer }

// readHead reads all that is before the chunks. It returns what to read the
// chunks from, and where they begin.
func readHead(source io.Reader, keys []Key, options ReaderOptions) (*opened, io.Reader, int64, error) {
	failed := func(err error) (*opened, io.Reader, int64, error) { return nil, nil, 0, err }
	if err := checkSuites(options.Suites...); err != nil {
		return failed(err)
	}
	if err := checkKeys(keys); err != nil {
		return failed(err)
	}
	b := &beginning{source: source}
	copies, differ, err := b.copies(options.Suites)
	if err != nil {
		return failed(err)
	}
	u := &unlocking{keys, options.MaxCost, options.MaxCost.work(), make(map[attempt]outcome)}
	defer u.clear()
	header, content, err := unlockCopies(copies, u)
	if err != nil {
		return failed(err)
	}
	defer clear(content)
	o := &opened{suite: header.suite, kind: Kind(content[secretSize]), copiesDiffer: differ, goroutines: options.Goroutines}
	if o.kind.IsCompressed() && !options.Compressed {
		return failed(ErrCompressed)
	}
	chunksAt := 2*len(header.bytes) + payloadHead
	read := b.upTo(chunksAt)
	if b.failure != nil {
		return failed(b.failure)
	}
	if len(read) < chunksAt {
		return failed(&Error{Name: "truncated"})
	}
	o.key, err = openPayload(o.suite, content[:secretSize], header.salt(), read[chunksAt-payloadHead:], o.kind)
	if err != nil {
		return failed(err)
	}
	if rest := b.bytes[chunksAt:]; len(rest) > 0 {
		source = io.MultiReader(bytes.NewReader(rest), source)
	}
	return o, source, int64(chunksAt), nil
}

// Read opens as much as source has, at least a chunk, and returns it. Its error
// is [io.EOF] at the end of the file, an [*Error], or wraps that of source;
// later calls return it again. All plaintext before the error is returned
// first.
func (r *Reader) Read(bytes []byte) (int, error) {
	if len(bytes) == 0 {
		return 0, nil
	}
	if !r.fill() {
		return 0, r.failure
	}
	size := copy(bytes, r.ready)
	r.ready = r.ready[size:]
	return size, nil
}

// WriteTo writes the plaintext to sink, until the end of the file or an error.
// [io.Copy] calls it. If it returns an error, discard the output, or use it
// only if a part does no harm. A [*Writer] is told of the error, and never ends
// its file then.
func (r *Reader) WriteTo(sink io.Writer) (int64, error) {
	if w, ok := sink.(*Writer); ok {
		// Without this method, or each would call the other.
		return w.ReadFrom(struct{ io.Reader }{r})
	}
	total := int64(0)
	for r.fill() {
		size, err := sink.Write(r.ready)
		if err == nil && size != len(r.ready) {
			err = io.ErrShortWrite
		}
		total += int64(max(0, min(size, len(r.ready))))
		r.ready = r.ready[max(0, min(size, len(r.ready))):]
		if err != nil {
			return total, err
		}
	}
	if r.failure == io.EOF {
		return total, nil
	}
	return total, r.failure
}

// fill sees to it that something is ready, and reports whether it is.
func (r *Reader) fill() bool {
	for len(r.ready) == 0 && r.failure == nil {
		r.next()
	}
	return len(r.ready) > 0
}

// next reads at least a chunk, and opens it.
func (r *Reader) next() {
	r.grow()
	size, ended, err := readUpTo(r.source, r.sealed[r.size:], r.key.sealedSize()-r.size)
	r.size += size
	count, rest := r.size/r.key.sealedSize(), r.size%r.key.sealedSize()
	r.failure = err
	if ended {
		r.failure = io.EOF
		if rest < r.key.suite.tagSize {
			r.failure = &Error{Name: "truncated", Chunk: r.chunk + int64(count)}
		} else {
			count, rest = count+1, 0
		}
	}
	if r.chunk+int64(count) > maxChunks {
		r.failure = ErrTooLong
		return
	}
	sealed := r.sealed[:r.size-rest]
	good := r.key.open(r.text, sealed, r.chunk, count, r.goroutines)
	r.ready = r.text[:min(good*ChunkSize, len(sealed)-count*r.key.suite.tagSize)]
	if good < count {
		isLast := good+1 == count && len(sealed)%r.key.sealedSize() != 0
		r.failure = notOpened(r.chunk+int64(good), isLast)
	}
	r.chunk += int64(count)
	copy(r.sealed, r.sealed[len(sealed):r.size])
	r.size = rest
}

// notOpened is the error for a chunk that does not open.
func notOpened(chunk int64, isLast bool) error {
	if isLast {
		return &Error{Name: "truncated", Chunk: chunk}
	}
	return &Error{Name: "damaged", Chunk: chunk}
}

// grow makes the buffers larger if so much was read that they were filled.
func (r *Reader) grow() {
	if count := len(r.sealed) / r.key.sealedSize(); r.chunk >= int64(count) {
		count = min(grown(count), r.goroutines*groupSize)
		if size := count * r.key.sealedSize(); size > len(r.sealed) {
			sealed := make([]byte, size)
			copy(sealed, r.sealed[:r.size])
			r.sealed = sealed
			clear(r.text)
			r.text = make([]byte, count*ChunkSize)
		}
	}
}

// maxEmptyReads is how often a source may return nothing at once.
const maxEmptyReads = 100

// readUpTo reads to bytes, at least so many unless the source ends, and
// reports whether it has ended. The end of the source is no error. Errors of
// the source are wrapped: some programs take its io.ErrUnexpectedEOF for that
// of io.ReadFull, and a part for the whole.
func readUpTo(source io.Reader, bytes []byte, least int) (size int, ended bool, err error) {
	for empty := 0; size < least; empty++ {
		n, err := source.Read(bytes[size:])
		if n < 0 || n > len(bytes)-size {
			panic("file: the source returned an impossible count from Read")
		}
		size += n
		if err == io.EOF {
			return size, true, nil
		}
		if err != nil {
			return size, false, sourceFailed(err)
		}
		if n > 0 {
			empty = 0
		}
		if empty == maxEmptyReads {
			return size, false, sourceFailed(io.ErrNoProgress)
		}
	}
	return size, false, nil
}

func sourceFailed(err error) error { return fmt.Errorf("file: the source failed: %w", err) }
