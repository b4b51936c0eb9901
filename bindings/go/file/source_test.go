package file_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"sivka.dev/go/file"
)

// odd is a source that returns bytes as it likes, and then what it likes.
type odd struct {
	bytes []byte
	// pauses is how often it returns nothing and no error between bytes, and
	// size how many bytes it returns at once.
	pauses, size, paused int
	// together says that the last bytes come with the end.
	together bool
	end      func() (int, error)
}

func (o *odd) Read(into []byte) (int, error) {
	if o.paused < o.pauses {
		o.paused++
		return 0, nil
	}
	o.paused = 0
	n := copy(into[:min(len(into), o.size)], o.bytes)
	o.bytes = o.bytes[n:]
	if n == 0 || len(o.bytes) == 0 && o.together {
		_, err := o.end()
		return n, err
	}
	return n, nil
}

// broken are the ends of sources that do not end.
var broken = map[string]func() (int, error){
	"nothing":    func() (int, error) { return 0, nil },
	"unexpected": func() (int, error) { return 0, io.ErrUnexpectedEOF },
	"closed":     func() (int, error) { return 0, io.ErrClosedPipe },
	"panic":      func() (int, error) { panic("broken") },
}

func quiet(call func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("a panic")
		}
	}()
	return call()
}

// Whatever becomes of a source, only its end makes a whole file.
func TestOnlyTheEndOfASourceEndsAFile(t *testing.T) {
	for _, size := range []int{0, 1, 16384, 40000} {
		text := randomBytes(size)
		for end, fails := range broken {
			for _, together := range []bool{false, true} {
				var sink, whole bytes.Buffer
				w := must(file.NewWriter(&sink, keysOf(testKey), nil))
				source := func() io.Reader { return &odd{bytes: text, size: 10000, together: together, end: fails} }
				copied := quiet(func() error {
					_, err := io.Copy(w, source())
					return err
				})
				sealed := quiet(func() error {
					_, err := file.Seal(&whole, source(), keysOf(testKey), nil)
					return err
				})
				if err := w.Finish(); copied == nil || sealed == nil || err == nil {
					t.Errorf("%d bytes, %s: %v, %v, Finish: %v", size, end, copied, sealed, err)
				}
				for way, open := range openers {
					for _, from := range [][]byte{sink.Bytes(), whole.Bytes()} {
						if opened, err := open(from); !errors.Is(err, file.ErrTruncated) || !bytes.HasPrefix(text, opened) {
							t.Errorf("%d bytes, %s, %s: %d bytes, %v", size, end, way, len(opened), err)
						}
					}
				}
			}
		}
		var sink bytes.Buffer
		pausing := func(bytes []byte) io.Reader {
			return &odd{bytes: bytes, size: 7000, pauses: 99, together: true, end: func() (int, error) { return 0, io.EOF }}
		}
		must(file.Seal(&sink, pausing(text), keysOf(testKey), nil))
		opened, err := io.ReadAll(must(file.NewReader(pausing(sink.Bytes()), keysOf(testKey), nil)))
		if err != nil || !bytes.Equal(opened, text) {
			t.Errorf("%d bytes: %d bytes, %v", size, len(opened), err)
		}
	}
}

// A file that becomes shorter is no short piece.
func TestAShortenedSourceIsNoEnd(t *testing.T) {
	from := sealed(randomBytes(3*16384+9), file.AES256GCMSIV)
	for _, fails := range []error{io.EOF, io.ErrUnexpectedEOF, nil} {
		source := &shortening{bytes.NewReader(from), int64(len(from)), fails}
		r := must(file.NewReaderAt(source, int64(len(from)), keysOf(testKey), nil))
		for _, source.size = range []int64{2104, 2104 + 20000, 2104 + 2*16400} {
			wants := file.ErrTruncated
			if fails == io.ErrUnexpectedEOF {
				wants = fails
			}
			read, err := io.ReadFull(io.NewSectionReader(r, 0, r.Size()), make([]byte, 100000))
			if err == io.ErrUnexpectedEOF || !errors.Is(err, wants) || fails == io.EOF && read != int(source.size-2104)/16400*16384 {
				t.Errorf("shortened to %d, %v: %d bytes, %v", source.size, fails, read, err)
			}
			if _, err := file.NewReaderAt(source, int64(len(from)), keysOf(testKey), nil); !errors.Is(err, wants) {
				t.Errorf("short from the first, %d, %v: %v", source.size, fails, err)
			}
		}
	}
	if _, err := file.NewReaderAt(bytes.NewReader(from), -1, keysOf(testKey), nil); err == nil || errors.Is(err, file.ErrTruncated) {
		t.Errorf("a negative size: %v", err)
	}
}

// shortening is a file that becomes shorter.
type shortening struct {
	*bytes.Reader
	size int64
	end  error
}

func (s *shortening) ReadAt(bytes []byte, offset int64) (int, error) {
	if left := s.size - offset; left < int64(len(bytes)) {
		n, _ := s.Reader.ReadAt(bytes[:max(0, left)], offset)
		return n, s.end
	}
	return s.Reader.ReadAt(bytes, offset)
}
