package folder_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"sivka.dev/go/file/folder"
)

// FuzzOpen opens archives that may be anything, and reads all that is in them
// as archive/tar does, which reads them from the beginning to the end.
func FuzzOpen(f *testing.F) {
	for _, archive := range [][]byte{
		packed(root, folderOf("d"), fileOf("d/a", "text"), linkOf("d/l", "../d/a"), item{tar.TypeLink, "e", "", "d/a"}),
		packed(root, linkOf("l", "l"), item{tar.TypeFifo, "p", "", ""}, fileOf("\xff", "1")),
		withRoot(sparse("s", 3000, strings.Repeat("0123456789abcdef", 161), [2]int64{5, 512}, [2]int64{600, 512}, [2]int64{1200, 512}, [2]int64{1712, 512}, [2]int64{2300, 512}, [2]int64{2900, 16}, [2]int64{3000, 0}), header(tar.TypeReg, "t", "", 5), padded("after")),
		withRoot(header('x', "x", "", 20), padded("20 mtime=1234567.89\n"), header(tar.TypeReg, "t", "", 0)),
	} {
		f.Add(archive[len(mark()):])
	}
	f.Fuzz(func(t *testing.T, given []byte) {
		input := bytes.Clone(given)
		// A changed header would only ever show that its checksum is wrong.
		for at := 0; at+512 <= len(input); at += 512 {
			if block := input[at:][:512]; bytes.HasPrefix(block[257:], []byte("ustar")) {
				if bytes.HasPrefix(block[257:], []byte("ustar  \x00")) {
					// Times that are none are a prefix of names to archive/tar alone.
					clear(block[345:369])
				}
				checked(block)
			}
		}
		opened, err := open(append(mark(), input...))
		if err != nil {
			if !errors.Is(err, folder.ErrMalformed) {
				t.Fatal(err)
			}
			return
		}
		expected, isRead := texts(input)
		err = fs.WalkDir(opened, ".", func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !fs.ValidPath(path) {
				t.Errorf("the path %q", path)
			}
			about, err := opened.Lstat(path)
			if err != nil || about.Mode().Type() != entry.Type() || about.Size() < 0 {
				t.Errorf("%q: %v, %v", path, about, err)
			}
			switch {
			case entry.Type() == fs.ModeSymlink:
				text, err := opened.ReadFile(path)
				var cause *fs.PathError
				if err != nil && (!errors.As(err, &cause) || text != nil) {
					t.Error(err)
				}
			case entry.Type().IsRegular() && about.Size() <= longest:
				text, err := opened.ReadFile(path)
				if err != nil || int64(len(text)) != about.Size() || isRead && !bytes.Equal(text, expected[path]) {
					t.Errorf("%q: %d of %d bytes, %v, and archive/tar has %d", path, len(text), about.Size(), err, len(expected[path]))
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// longest is what is read of a file with holes, which may be of any length.
const longest = 1 << 20

// texts reads an archive as one reads a tape, and reports whether it read all:
// archive/tar also refuses numbers that nobody needs.
func texts(archive []byte) (map[string][]byte, bool) {
	texts := make(map[string][]byte)
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := r.Next()
		if err != nil {
			return texts, err == io.EOF
		}
		if header.Typeflag == tar.TypeLink {
			texts[header.Name] = texts[header.Linkname]
			continue
		}
		text, err := io.ReadAll(io.LimitReader(r, longest))
		if err == nil {
			texts[header.Name] = text
		}
	}
}
