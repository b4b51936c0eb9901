package folder_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"sivka.dev/go/file"
	"sivka.dev/go/file/folder"
)

// A file of a folder that does not open to its end never ends the file that
// it is copied to.
func TestCopyingADamagedEntryDoesNotEndAFile(t *testing.T) {
	from := sealed(packed(root, fileOf("notes", strings.Repeat("holiday ", 10_000))))
	from[2104+2*16400+5] ^= 1
	photos := must(folder.Open(bytes.NewReader(from), int64(len(from)), []file.Key{testKey}, nil))
	notes := must(photos.Open("notes"))
	w := must(file.NewWriter(io.Discard, []file.Key{testKey}, nil))
	if _, err := io.Copy(w, notes); !errors.Is(err, file.ErrDamaged) {
		t.Error("Copy:", err)
	}
	if err := w.Finish(); !errors.Is(err, file.ErrDamaged) {
		t.Error("Finish:", err)
	}
}
