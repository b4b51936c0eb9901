package folder_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sivka.dev/go/file/folder"
)

// sparse is a file of so many bytes with parts: offset and size of each.
func sparse(name string, size int64, stored string, parts ...[2]int64) []byte {
	block := header('S', name, "", len(stored))
	copy(block[483:], fmt.Sprintf("%011o\x00", size))
	list := func(to []byte, most int) byte {
		for i := range min(most, len(parts)) {
			copy(to[i*24:], fmt.Sprintf("%011o\x00%011o\x00", parts[i][0], parts[i][1]))
		}
		parts = parts[min(most, len(parts)):]
		return byte(min(1, len(parts)))
	}
	block[482] = list(block[386:], 4)
	blocks := checked(block)
	for len(parts) > 0 {
		block := make([]byte, 512)
		block[504] = list(block, 21)
		blocks = append(blocks, block...)
	}
	return append(blocks, padded(stored)...)
}

func withRoot(entries ...[]byte) []byte {
	return slices.Concat(unended(root), slices.Concat(entries...), end)
}

func TestFilesWithHoles(t *testing.T) {
	stored := strings.Repeat("0123456789abcdef", 32*31+1)
	var parts [][2]int64
	expected := make([]byte, 100_000)
	for i := range int64(31) {
		parts = append(parts, [2]int64{i * 3000, 512})
		copy(expected[i*3000:], stored[i*512:][:512])
	}
	parts = append(parts, [2]int64{99_984, 16}, [2]int64{100_000, 0})
	copy(expected[99_984:], stored[31*512:])
	f := must(open(withRoot(sparse("a", 100_000, stored, parts...), sparse("b", 70, "", [2]int64{70, 0}), sparse("c", 1<<32, "end", [2]int64{1<<32 - 3, 3}), header(tar.TypeReg, "d", "", 5), padded("after"))))
	if _, err := f.ReadFile("c"); err == nil {
		t.Error("a file of 4 GiB was made up")
	}
	if text := must(f.ReadFile("a")); !bytes.Equal(text, expected) {
		t.Errorf("%d bytes", len(text))
	}
	if text := must(f.ReadFile("b")); !bytes.Equal(text, make([]byte, 70)) {
		t.Error(text)
	}
	if text := must(f.ReadFile("d")); string(text) != "after" {
		t.Error(text)
	}
	last := []byte("xxxxxxx")
	if size, err := must(f.Open("c")).(io.ReaderAt).ReadAt(last, 1<<32-6); size != 6 || err != io.EOF || string(last) != "\x00\x00\x00endx" {
		t.Errorf("%d %v %q", size, err, last)
	}
	whole := must(f.Open("a")).(io.ReaderAt)
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		at, size := random.IntN(len(expected)), random.IntN(5000)
		text := bytes.Repeat([]byte("x"), size)
		n, err := whole.ReadAt(text, int64(at))
		if end := min(at+size, len(expected)); n != end-at || !bytes.Equal(text[:n], expected[at:end]) || (err == io.EOF) != (n < size) {
			t.Fatalf("%d bytes at %d: %d, %v", size, at, n, err)
		}
	}
	record := func(text string) []byte { return slices.Concat(header('x', "x", "", len(text)), padded(text)) }
	for name, entry := range map[string][]byte{
		"by records": slices.Concat(record("26 GNU.sparse.numblocks=1\n22 GNU.sparse.map=0,1\n21 GNU.sparse.size=9\n"),
			header(tar.TypeReg, "a", "", 1), padded("1")),
		"a name by records":  slices.Concat(record("9 path=b\n"), header(tar.TypeReg, "a", "", 0)),
		"an owner":           slices.Concat(record("8 uid=1\n"), header(tar.TypeReg, "a", "", 0)),
		"after the end":      slices.Concat(end, header(tar.TypeReg, "a", "", 0)),
		"a size by records":  slices.Concat(record("9 size=1\n"), header(tar.TypeReg, "a", "", 2), padded("1")),
		"parts overlap":      sparse("a", 9000, stored[:1024], [2]int64{0, 512}, [2]int64{511, 512}),
		"in another order":   sparse("a", 9000, stored[:1024], [2]int64{1024, 512}, [2]int64{0, 512}),
		"after its end":      sparse("a", 900, stored[:512], [2]int64{512, 512}),
		"more is stored":     sparse("a", 9000, stored[:1024], [2]int64{512, 512}),
		"less is stored":     sparse("a", 9000, stored[:512], [2]int64{512, 1024}),
		"more than the file": sparse("a", 9000, stored[:512], [2]int64{0, 8 << 20}),
	} {
		if _, err := open(withRoot(entry)); !errors.Is(err, folder.ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
