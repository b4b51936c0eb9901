package folder_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"sivka.dev/go/file/folder"
)

// void comes after a file that changed while the command read it.
func void() []byte {
	blocks := mark()
	clear(blocks[512:])
	copy(blocks[512:], "35 comment=the file before is void\n")
	return blocks
}

func entryOf(i item) []byte {
	return append(header(i.kind, i.name, i.target, len(i.text)), padded(i.text)...)
}

// A folder was refused as a whole if a file in it was written to while the
// command sealed it, or was a hard link of a symbolic link.
func TestVoidFilesAreNotThere(t *testing.T) {
	wrong, right := entryOf(fileOf("a", strings.Repeat("wrong", 200))), entryOf(fileOf("a", "right"))
	holes := sparse("a", 3000, "wrong", [2]int64{5, 5}, [2]int64{3000, 0})
	other := entryOf(fileOf("b", "other"))
	for name, c := range map[string]struct {
		archive []byte
		text    string
	}{
		"last":               {withRoot(other, entryOf(fileOf("c", "")), void()), ""},
		"no second reading":  {withRoot(wrong, void(), other), ""},
		"a second reading":   {withRoot(wrong, void(), right, other), "right"},
		"twice":              {withRoot(wrong, void(), wrong, void(), other), ""},
		"with holes":         {withRoot(holes, void(), right, other), "right"},
		"before one of them": {withRoot(wrong, void(), sparse("a", 5, "right", [2]int64{0, 5}), other), "right"},
	} {
		f, err := open(c.archive)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text, err := f.ReadFile("a")
		if string(text) != c.text || (c.text == "") != (err != nil) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		if text, err := f.ReadFile("b"); string(text) != "other" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	f := must(open(withRoot(other, entryOf(fileOf("\xff", "wrong")), void())))
	if len(f.LeftOut()) != 0 || len(must(f.ReadDir("."))) != 1 {
		t.Error(f.LeftOut())
	}
}

func TestVoidIsOfAFileBefore(t *testing.T) {
	a := entryOf(fileOf("a", "text"))
	changed := void()
	changed[512+20] ^= 1
	for name, archive := range map[string][]byte{
		"of the folder":      withRoot(void()),
		"of a folder":        withRoot(entryOf(folderOf("d")), void()),
		"of a link":          withRoot(entryOf(linkOf("l", "x")), void()),
		"of another name":    withRoot(a, entryOf(item{tar.TypeLink, "b", "", "a"}), void()),
		"twice":              withRoot(a, void(), void()),
		"another comment":    withRoot(a, changed),
		"the mark":           withRoot(a, mark()),
		"cut":                slices.Concat(unended(root), a, void()[:600]),
		"a link to the void": withRoot(a, void(), entryOf(item{tar.TypeLink, "b", "", "a"})),
	} {
		if _, err := open(archive); !errors.Is(err, folder.ErrMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHardLinksOfLinksAreLinks(t *testing.T) {
	f := must(open(packed(root, fileOf("a", "text"), linkOf("b", "a"), item{tar.TypeLink, "c", "", "b"}, item{tar.TypeLink, "d", "", "c"})))
	for _, name := range []string{"b", "c", "d"} {
		target, err := f.ReadLink(name)
		text, _ := f.ReadFile(name)
		if target != "a" || err != nil || string(text) != "text" {
			t.Errorf("%s: %q, %v, %q", name, target, err, text)
		}
	}
}

// full takes so many bytes and no more.
type full struct {
	bytes.Buffer
	left int
}

var errFull = errors.New("full")

func (f *full) Write(text []byte) (int, error) {
	size, _ := f.Buffer.Write(text[:min(f.left, len(text))])
	f.left -= size
	if size < len(text) {
		return size, errFull
	}
	return size, nil
}

// What a sink had not taken was passed over: the rest of a copy that went on
// was short, without an error.
func TestWhatASinkDoesNotTakeIsStillThere(t *testing.T) {
	text := []byte(strings.Repeat("0123456789", 300_000))
	f := must(open(packed(root, fileOf("a", string(text)))))
	for _, left := range []int{0, 1, 20_000, 1<<20 - 1, 1 << 20, 1<<20 + 1, len(text)} {
		opened := must(f.Open("a"))
		sink := full{left: left}
		written, err := opened.(io.WriterTo).WriteTo(&sink)
		if written != int64(left) || (left < len(text)) != errors.Is(err, errFull) {
			t.Errorf("%d: %d, %v", left, written, err)
		}
		rest := must(io.ReadAll(opened))
		if !bytes.Equal(slices.Concat(sink.Bytes(), rest), text) {
			t.Errorf("%d: %d bytes are left", left, len(rest))
		}
	}
}
