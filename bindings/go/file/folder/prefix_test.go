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

// A long name, or the record path, is the name whatever the header has.
func TestALongNameMayBeginAsAPrefixDoes(t *testing.T) {
	record := "20 path=prefix/name\n"
	for what, before := range map[string][]byte{
		"long": slices.Concat(header('L', "././@LongLink", "", 12), padded("prefix/name\x00")),
		"path": slices.Concat(header('x', "x", "", len(record)), padded(record)),
	} {
		folder := header(tar.TypeDir, "prefix/", "", 0)
		opened, err := open(slices.Concat(unended(root), folder, before, gnuPrefixed("name", "prefix"), end))
		if err != nil {
			t.Error(what, err)
			continue
		}
		if _, err := fs.Stat(opened, "prefix/name"); err != nil {
			t.Error(what, err)
		}
	}
}
