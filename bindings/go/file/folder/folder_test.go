package folder_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"sivka.dev/go/file"
	"sivka.dev/go/file/folder"
)

var long = strings.Repeat("n", 120)

func TestLinksAreRead(t *testing.T) {
	f := must(open(photos()))
	if left := f.LeftOut(); len(left) != 0 {
		t.Errorf("left out: %q", left)
	}
	if target, err := f.ReadLink("2025/up"); target != "../2025/notes" || err != nil {
		t.Error(target, err)
	}
	if about, err := f.Lstat("2025/up"); err != nil || about.Mode().Type() != fs.ModeSymlink {
		t.Error(about, err)
	}
	for _, name := range []string{"2025/notes", "2025", "none", "../2025"} {
		_, err := f.ReadLink(name)
		var path *fs.PathError
		if !errors.As(err, &path) || path.Path != name {
			t.Errorf("%s is a link: %v", name, err)
		}
	}
}

func TestOnlyFoldersAreOpened(t *testing.T) {
	for kind, expected := range map[file.Kind]error{
		file.FileKind: folder.ErrNotFolder, file.CompressedFileKind: folder.ErrNotFolder,
		file.FolderKind: nil, file.CompressedFolderKind: file.ErrCompressed,
	} {
		var sink bytes.Buffer
		must(file.Seal(&sink, bytes.NewReader(photos()), []file.Key{testKey}, &file.WriterOptions{Kind: kind}))
		options := &file.ReaderOptions{Compressed: true}
		if _, err := folder.Open(bytes.NewReader(sink.Bytes()), int64(sink.Len()), []file.Key{testKey}, options); err != expected {
			t.Error(kind, err)
		}
	}
}

func TestLinksAreFollowedInside(t *testing.T) {
	entries := [][]byte{linkOf("a", "./d//e/.."), folderOf("d"), fileOf("d/f", "text"), linkOf("d/g", ".././d/f"), linkOf("d/h", "../l00")}
	for i := range 42 {
		entries = append(entries, linkOf(fmt.Sprintf("l%02d", i), fmt.Sprintf("l%02d", i+1)))
	}
	f := must(open(packed(append(entries, fileOf("l42", "text"), linkOf("self", "self"), linkOf("to", "d"))...)))
	for name, expected := range map[string]error{
		"d/g": nil, "to/g": nil, "l02": nil, "l01": folder.ErrLinks, "d/h": folder.ErrLinks, "self": folder.ErrLinks,
		"a": fs.ErrNotExist, "l42/x": fs.ErrNotExist, "to/../l42": fs.ErrInvalid,
	} {
		text, err := fs.ReadFile(f, name)
		if !errors.Is(err, expected) || err == nil && string(text) != "text" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	if left := f.LeftOut(); !slices.Equal(left, []folder.LeftOut{{"a", folder.ErrOutside}}) {
		t.Error(left)
	}
}

func TestWhatIsLeftOutIsNamed(t *testing.T) {
	lost := entry(tar.TypeDir, "./", "", "", "SIVKA.lost=d/b\x00z\x00")
	f := must(open(packed(
		folderOf("a\xff"), fileOf("a\xff/a", "1"), nameOf("b", "a\xff/a"), folderOf("d"), fileOf("d/b", "\x00"),
		linkOf("d/c", "../b"), nameOf("e", "d/b"), nameOf("f", "d/c"), fileOf("z", "\x00"), lost,
	)))
	expected := []folder.LeftOut{
		{"a\xff", folder.ErrName}, {"a\xff/a", folder.ErrName}, {"d/b", folder.ErrLost}, {"e", folder.ErrLost},
		{"f", folder.ErrOutside}, {"z", folder.ErrLost},
	}
	if left := f.LeftOut(); !slices.Equal(left, expected) {
		t.Errorf("%q", left)
	}
	if list := must(fs.ReadDir(f, ".")); len(list) != 2 {
		t.Error(list)
	}
	if text, err := fs.ReadFile(f, "d/c"); string(text) != "1" || err != nil {
		t.Error(text, err)
	}
	for _, name := range []string{"d/b", "e", "z"} {
		if _, err := f.Open(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// counted counts what is read.
type counted struct {
	io.ReaderAt
	bytes atomic.Int64
}

func (c *counted) ReadAt(bytes []byte, offset int64) (int, error) {
	c.bytes.Add(int64(len(bytes)))
	return c.ReaderAt.ReadAt(bytes, offset)
}

func TestOnlyWhatIsAskedForIsRead(t *testing.T) {
	const sealedChunk = 16384 + 16
	large := strings.Repeat("large\n", 4<<20)
	from := sealed(packed(fileOf("a", "first"), fileOf("large", large), fileOf("small", strings.Repeat("s", 1000)), fileOf("z", large[:300_000])))
	source := &counted{ReaderAt: bytes.NewReader(from)}
	f := must(folder.Open(source, int64(len(from)), []file.Key{testKey}, nil))
	read := func(what string, limit int64) {
		t.Helper()
		if n := source.bytes.Swap(0); n > limit || n == 0 {
			t.Errorf("%s: %d bytes of %d were read, the limit is %d", what, n, len(from), limit)
		}
	}
	// The header, the last chunk, the first, one or two where each large file ends.
	read("open", 2104+6*sealedChunk)
	must(fs.ReadFile(f, "small"))
	read("a small file", 2*sealedChunk)
	must(must(f.Open("large")).(io.ReaderAt).ReadAt(make([]byte, 100), 9_000_000))
	read("100 bytes of a large file", 2*sealedChunk)
	if text := must(fs.ReadFile(f, "large")); string(text) != large {
		t.Error(len(text))
	}
	read("the large file", int64(len(large))/16384*sealedChunk+4*sealedChunk)
}

// Damage is of one file, and copying that to another never ends the other.
func TestDamageIsOfOneFile(t *testing.T) {
	from := sealed(packed(fileOf("a", strings.Repeat("a", 100_000)), fileOf("b", "b")))
	from[2104+3*16400] ^= 1
	f := must(folder.Open(bytes.NewReader(from), int64(len(from)), []file.Key{testKey}, nil))
	if text, err := fs.ReadFile(f, "b"); string(text) != "b" || err != nil {
		t.Error(text, err)
	}
	_, err := fs.ReadFile(f, "a")
	var path *fs.PathError
	if !errors.Is(err, file.ErrDamaged) || !errors.As(err, &path) || path.Path != "a" {
		t.Error(err)
	}
	w := must(file.NewWriter(io.Discard, []file.Key{testKey}, nil))
	if _, err := io.Copy(w, must(f.Open("a"))); !errors.Is(err, file.ErrDamaged) {
		t.Error("Copy:", err)
	}
	if err := w.Finish(); !errors.Is(err, file.ErrDamaged) {
		t.Error("Finish:", err)
	}
	// The headers are in the first chunk.
	from[2104] ^= 1
	if _, err := folder.Open(bytes.NewReader(from), int64(len(from)), []file.Key{testKey}, nil); !errors.Is(err, file.ErrDamaged) {
		t.Error(err)
	}
}

func TestWhatIsClosedOrAFolderIsNotRead(t *testing.T) {
	f := must(open(photos()))
	opened := must(f.Open("2025/notes"))
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
	if _, err := opened.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if _, err := opened.(io.ReaderAt).ReadAt(make([]byte, 1), 0); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if _, err := fs.ReadFile(f, "2025"); err == nil {
		t.Error("a folder was read")
	}
	if _, err := fs.ReadDir(f, "2025/notes"); err == nil {
		t.Error("a file was listed")
	}
}
