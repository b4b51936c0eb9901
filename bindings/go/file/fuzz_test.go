package file_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"sivka.dev/go/file"
)

// FuzzReader opens what may be anything. Whatever is not the file that was
// sealed is refused, and nothing but the beginning of its text comes out.
func FuzzReader(f *testing.F) {
	text := randomBytes(2*16384 + 10)
	whole := sealed(text, file.AES256GCMSIV)
	f.Add(whole)
	f.Add(whole[:2104])
	f.Add(whole[:2104+16400])
	f.Add(sealed(nil, file.XChaCha20BLAKE2b))
	var sink bytes.Buffer
	passphrase := must(file.NewPassphrase([]byte("horse")))
	must(file.Seal(&sink, bytes.NewReader(text), keysOf(passphrase), &file.WriterOptions{Cost: cheap}))
	f.Add(sink.Bytes())
	limit := &file.ReaderOptions{MaxCost: cheap, Goroutines: 1}
	f.Fuzz(func(t *testing.T, input []byte) {
		keys := keysOf(testKey, passphrase)
		var streamed, read []byte
		r, streamErr := file.NewReader(bytes.NewReader(input), keys, limit)
		if streamErr == nil {
			streamed, streamErr = io.ReadAll(r)
		}
		at, err := file.NewReaderAt(bytes.NewReader(input), int64(len(input)), keys, limit)
		if err == nil {
			read, err = io.ReadAll(io.NewSectionReader(at, 0, at.Size()))
		}
		if (streamErr == nil) != (err == nil) || !bytes.HasPrefix(streamed, read) {
			t.Fatalf("%d bytes, %v, and in parts %d, %v", len(streamed), streamErr, len(read), err)
		}
		var details *file.Error
		if streamErr != nil && !errors.As(streamErr, &details) {
			t.Fatalf("an error of another kind: %v", streamErr)
		}
		if !bytes.HasPrefix(text, streamed) {
			t.Fatal("text that nobody has sealed")
		}
	})
}

// FuzzParseKeyFile reads what may be anything.
func FuzzParseKeyFile(f *testing.F) {
	f.Add([]byte(keyText))
	f.Fuzz(func(t *testing.T, input []byte) {
		if key, err := file.ParseKeyFile(input, nil); err == nil {
			if _, err := file.ParseKeyFile(key.Text(), nil); err != nil {
				t.Fatal(err)
			}
		}
	})
}
