package file_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"sivka.dev/go/file"
)

// Damage of any byte of the header, in one copy, costs nothing.
func TestEitherCopyOfTheHeaderIsEnough(t *testing.T) {
	text := randomBytes(100)
	from := sealed(text, file.AES256GCMSIV)
	for at := range 2048 {
		changed := bytes.Clone(from)
		changed[at] ^= 1
		r, err := file.NewReader(bytes.NewReader(changed), keysOf(testKey), nil)
		if err != nil {
			t.Fatal(at, err)
		}
		if opened, err := io.ReadAll(r); err != nil || !bytes.Equal(opened, text) || !r.CopiesDiffer() {
			t.Fatalf("byte %d: %d bytes, %v, the copies differ: %v", at, len(opened), err, r.CopiesDiffer())
		}
		if header, err := file.Inspect(changed, nil); err != nil || !header.CopiesDiffer || len(header.Slots) == 0 {
			t.Fatal(at, header, err)
		}
		changed[(at+1024)%2048] ^= 1
		if _, err := file.NewReader(bytes.NewReader(changed), keysOf(testKey), nil); err == nil {
			t.Fatalf("byte %d is damaged in both copies", at)
		}
	}
	r := must(file.NewReaderAt(bytes.NewReader(from), int64(len(from)), keysOf(testKey), nil))
	if r.CopiesDiffer() {
		t.Error("the copies of a new file differ")
	}
}

// A slot that both copies have alike is tried once, and costs once.
func TestASlotOfBothCopiesCostsOnce(t *testing.T) {
	keys := keysOf(must(file.NewPassphrase([]byte("horse"))))
	var sink bytes.Buffer
	must(file.Seal(&sink, bytes.NewReader([]byte("text")), keys, &file.WriterOptions{Cost: cheap}))
	from := sink.Bytes()
	from[1023] ^= 1 // of the MAC
	r := must(file.NewReader(bytes.NewReader(from), keys, &file.ReaderOptions{MaxCost: cheap}))
	if text, err := io.ReadAll(r); string(text) != "text" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

func TestTheKindComesBack(t *testing.T) {
	for _, kind := range []file.Kind{file.FileKind, file.FolderKind, file.CompressedFileKind, file.CompressedFolderKind} {
		var sink bytes.Buffer
		must(file.Seal(&sink, bytes.NewReader([]byte("text")), keysOf(testKey), &file.WriterOptions{Kind: kind}))
		from := sink.Bytes()
		r, err := file.NewReader(bytes.NewReader(from), keysOf(testKey), nil)
		if kind.IsCompressed() {
			if err != file.ErrCompressed {
				t.Error(kind, err)
			}
			r, err = file.NewReader(bytes.NewReader(from), keysOf(testKey), &file.ReaderOptions{Compressed: true})
		}
		if err != nil {
			t.Fatal(kind, err)
		}
		if text, err := io.ReadAll(r); string(text) != "text" || err != nil || r.Kind() != kind {
			t.Errorf("%v became %v: %q, %v", kind, r.Kind(), text, err)
		}
	}
	options := &file.WriterOptions{Kind: file.CompressedFolderKind + 1}
	if _, err := file.NewWriter(io.Discard, keysOf(testKey), options); !errors.Is(err, file.ErrUnknownKind) {
		t.Error(err)
	}
}
