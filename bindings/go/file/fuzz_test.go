package file_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"sivka.dev/go/file"
)

// FuzzReader opens input that may be anything, also as a key file. Nothing but
// the beginning of the sealed text comes out.
func FuzzReader(f *testing.F) {
	text := randomBytes(2*16384 + 10)
	whole := sealed(text, file.AES256GCMSIV)
	f.Add(whole)
	f.Add(whole[:2104+16400])
	f.Add([]byte(keyText))
	f.Fuzz(func(t *testing.T, input []byte) {
		if key, err := file.ParseKeyFile(input, nil); err == nil {
			must(file.ParseKeyFile(key.Text(), nil))
		}
		var streamed, read []byte
		limit := &file.ReaderOptions{MaxCost: cheap, Goroutines: 1}
		r, streamErr := file.NewReader(bytes.NewReader(input), keysOf(testKey), limit)
		if streamErr == nil {
			streamed, streamErr = io.ReadAll(r)
		}
		at, err := file.NewReaderAt(bytes.NewReader(input), int64(len(input)), keysOf(testKey), limit)
		if err == nil {
			read, err = io.ReadAll(io.NewSectionReader(at, 0, at.Size()))
		}
		var details *file.Error
		if (streamErr == nil) != (err == nil) || streamErr != nil && !errors.As(streamErr, &details) {
			t.Fatalf("%v, and in parts %v", streamErr, err)
		}
		if !bytes.HasPrefix(streamed, read) || !bytes.HasPrefix(text, streamed) {
			t.Fatal("text that nobody has sealed")
		}
	})
}
