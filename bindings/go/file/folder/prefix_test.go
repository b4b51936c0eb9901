package folder_test

import (
	"archive/tar"
	"io/fs"
	"slices"
	"testing"
)

func TestNamesOfGNUTarHaveNoPrefix(t *testing.T) {
	opened, err := open(slices.Concat(unended(root), gnuPrefixed("name", "prefix"), end))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(opened, "name"); err != nil {
		t.Error(err)
	}
	if _, err := fs.Stat(opened, "prefix/name"); err == nil {
		t.Error("the times are a prefix")
	}
}

// A long name is the name whatever the header has.
func TestALongNameMayBeginAsAPrefixDoes(t *testing.T) {
	folder := header(tar.TypeDir, "prefix/", "", 0)
	long := slices.Concat(header('L', "././@LongLink", "", 12), padded("prefix/name\x00"))
	opened, err := open(slices.Concat(unended(root), folder, long, gnuPrefixed("name", "prefix"), end))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(opened, "prefix/name"); err != nil {
		t.Error(err)
	}
}
