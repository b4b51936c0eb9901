//go:build go1.25

package folder_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"sivka.dev/go/file/folder"
)

var _ fs.ReadLinkFS = (*folder.FS)(nil)

// Before Go 1.25, package fstest takes a symbolic link to a folder for a file.
func TestFSTestFindsNoFault(t *testing.T) {
	expected := []string{"2025/beach", "2025/notes", "2025/same", "2025/up", "empty", "year", "to-long", long}
	if err := fstest.TestFS(must(open(photos())), expected...); err != nil {
		t.Fatal(err)
	}
}

// Whoever reads through a copy reads nothing beside it.
func TestNoLinkOfACopyLeadsOutside(t *testing.T) {
	beside := t.TempDir()
	if err := os.WriteFile(filepath.Join(beside, "secret"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(beside, "copy")
	f := must(open(packed(
		linkOf("a", "../secret"), linkOf("b", filepath.Join(beside, "secret")), folderOf("d"),
		linkOf("d/e", "../.."), linkOf("d/in", "../f"), linkOf("d/up", "x/../../../secret"), fileOf("f", "inside"),
	)))
	if err := os.CopyFS(copied, f); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(copied, "d/in")); string(text) != "inside" {
		t.Error(text, err)
	}
	err := fs.WalkDir(os.DirFS(copied), ".", func(path string, entry fs.DirEntry, err error) error {
		if entry.Type() == fs.ModeSymlink && path != "d/in" {
			t.Error("a link was copied:", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
