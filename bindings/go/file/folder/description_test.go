package folder_test

import (
	"archive/tar"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sivka.dev/go/file/folder"
)

// Blocks that GNU tar does not write, and of which programs make different
// things. The command has the same list in cli/tests/folders.rs.
func TestWhatProgramsReadDifferentlyIsRefused(t *testing.T) {
	a := entryOf(fileOf("a", "text"))
	ahead := func(kind byte, text string) []byte {
		return slices.Concat(header(kind, "x", "", len(text)), padded(text))
	}
	changed := func(at int, text string) []byte {
		block := header(tar.TypeReg, "a", "", 4)
		copy(block[at:], text)
		return slices.Concat(checked(block), padded("text"))
	}
	long := func(text string) []byte { return slices.Concat(ahead('L', text), a) }
	records := func(text string) []byte { return slices.Concat(ahead('x', text), a) }
	ofSize := func(size int) []byte {
		begin := "524800 SCHILY.xattr.user.a="
		return records(begin + strings.Repeat("v", size-len(begin)-1) + "\n")
	}
	folderOfNoKind := header(0, "a/", "", 0)
	names := strings.Repeat("n", 768<<10+2) + "\x00"
	good := map[string][]byte{
		"a file":       a,
		"a long name":  long("b\x00"),
		"records":      records("11 mtime=1\n11 other=1\n"),
		"many records": ofSize(524_800),
	}
	bad := map[string][]byte{
		"another order":              slices.Concat(entryOf(fileOf("b", "")), a),
		"a folder without a slash":   header(tar.TypeDir, "d", "", 0),
		"a folder of a slash alone":  header(tar.TypeDir, "/", "", 0),
		"a file of no kind":          changed(156, "\x00"),
		"a folder of no kind":        folderOfNoKind,
		"another kind of file":       changed(156, "7"),
		"no magic":                   changed(257, strings.Repeat("\x00", 8)),
		"ustar":                      changed(257, "ustar\x0000"),
		"spaces around a number":     changed(100, " 00644 \x00"),
		"no number":                  changed(136, strings.Repeat("\x00", 12)),
		"a size of 2^64":             changed(124, "\x80\x00\x00\x01"+strings.Repeat("\x00", 7)+"\x04"),
		"a time of 2^63":             changed(136, "\x80\x00\x00\x00\x80"+strings.Repeat("\x00", 7)),
		"a long name with a zero":    long("b\x00c\x00"),
		"a long name with two zeros": long("b\x00\x00"),
		"a long name without a zero": long("b"),
		"a target with a zero":       slices.Concat(ahead('K', "b\x00c\x00"), entryOf(linkOf("l", "x"))),
		"two long names":             slices.Concat(ahead('L', "b\x00"), long("c\x00")),
		"a name of nothing":          ahead('L', "b\x00"),
		"names of too much":          long(names),
		"records of too much":        ofSize(524_801),
		"a record twice":             records("11 mtime=1\n11 mtime=2\n"),
		"a length with a zero":       records("012 mtime=1\n"),
		"a wrong length":             records("12 mtime=1\n"),
		"a record of two lines":      records("13 other=1\n2\n"),
		"a record without a key":     records("5 =1\n"),
		"a record without a value":   records("9 mtime1\n"),
		"a time with a sign":         records("12 mtime=+1\n"),
		"no time":                    records("9 mtime=\n"),
		"a record of an owner":       records("11 uname=u\n"),
		"a record of a time":         records("11 atime=1\n"),
		"a record before a void":     slices.Concat(a, ahead('x', "11 mtime=1\n"), void()),
		"a name before a void":       slices.Concat(a, ahead('L', "b\x00"), void()),
		"a name before a void file":  slices.Concat(a, void(), entryOf(fileOf("A", ""))),
	}
	for name, archive := range good {
		if _, err := open(withRoot(archive)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, archive := range bad {
		if _, err := open(withRoot(archive)); !errors.Is(err, folder.ErrMalformed) {
			t.Errorf("%s: %v", name, fmt.Sprint(err))
		}
	}
}
