//go:build go1.25

package folder_test

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Before Go 1.25, package fstest takes a symbolic link to a folder for a file.
func TestFSTestFindsNoFault(t *testing.T) {
	long := strings.Repeat("n", 120)
	expected := []string{"2025/beach", "2025/notes", "2025/same", "2025/sparse", "2025/up", "empty", "year", "to-long", long}
	if err := fstest.TestFS(photos(t), expected...); err != nil {
		t.Fatal(err)
	}
}
