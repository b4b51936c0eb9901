package tests

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"sivka.dev/go/file"
	"sivka.dev/go/file/folder"
)

// archiveCount is how many archives vectors/folder-v1 has. Raise it with them.
const archiveCount = 455

// archives is the table of vectors/folder-v1, whose README describes the form.
type archives struct {
	Source     string
	Begin, End []string
	CaseCount  int `json:"case_count"`
	Cases      []struct {
		Name, Verdict    string
		Entries, Archive []string
	}
}

// pieces returns the bytes of some pieces.
func pieces(t *testing.T, list []string) []byte {
	t.Helper()
	var all []byte
	for _, piece := range list {
		if numbers, found := strings.CutPrefix(piece, "parts "); found {
			var first, last, end int
			if _, err := fmt.Sscan(numbers, &first, &last, &end); err != nil {
				t.Fatal(err)
			}
			all = append(all, parts(first, last, end)...)
			continue
		}
		digits, count, found := strings.Cut(piece, " * ")
		if !found {
			count = "1"
		}
		run, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		times, err := strconv.Atoi(count)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, bytes.Repeat(run, times)...)
	}
	return all
}

// parts returns blocks with the parts of a file, 21 in each.
func parts(first, last, end int) []byte {
	var places []string
	for i := first; i < last; i++ {
		places = append(places, fmt.Sprintf("%011o\x00%011o\x00", 1024*i, 512))
	}
	if end > 0 {
		places = append(places, fmt.Sprintf("%011o\x00%011o\x00", end, 0))
	}
	var blocks []byte
	for len(places) > 0 {
		block := make([]byte, 512)
		size := min(21, len(places))
		copy(block, strings.Join(places[:size], ""))
		places = places[size:]
		block[504] = byte(min(1, len(places)))
		blocks = append(blocks, block...)
	}
	return blocks
}

// The command judges the same archives in cli/tests/archives.rs. Both readers
// had lists of their own, and judged differently what was in neither.
func TestArchivesAreAcceptedOrRefused(t *testing.T) {
	text, err := os.ReadFile("../../../vectors/folder-v1/archives.json")
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var table archives
	if err := decoder.Decode(&table); err != nil {
		t.Fatal(err)
	}
	if len(table.Cases) != archiveCount || table.CaseCount != archiveCount {
		t.Fatalf("%d archives, and %d are said", len(table.Cases), table.CaseCount)
	}
	key, err := file.NewKeyFile(bytes.Repeat([]byte{7}, 32), "archives")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range table.Cases {
		content := pieces(t, c.Archive)
		if c.Archive == nil {
			content = pieces(t, append(append(append([]string(nil), table.Begin...), c.Entries...), table.End...))
		}
		var sealed bytes.Buffer
		if _, err := file.Seal(&sealed, bytes.NewReader(content), []file.Key{key}, nil); err != nil {
			t.Fatal(err)
		}
		opened, err := folder.Open(bytes.NewReader(sealed.Bytes()), int64(sealed.Len()), []file.Key{key}, nil)
		switch {
		case c.Verdict == "refused":
			if !errors.Is(err, folder.ErrMalformed) {
				t.Errorf("%s: refused, and the error is %v", c.Name, err)
			}
		case c.Verdict != "accepted":
			t.Errorf("%s: the verdict %q", c.Name, c.Verdict)
		case err != nil:
			t.Errorf("%s: accepted, and the error is %v", c.Name, err)
		default:
			readAll(t, c.Name, opened)
		}
	}
}

// readAll reads all files of an archive that was accepted.
func readAll(t *testing.T, name string, opened *folder.FS) {
	t.Helper()
	err := fs.WalkDir(opened, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		about, err := entry.Info()
		if err != nil || about.Size() > 1<<30 {
			return err
		}
		_, err = fs.ReadFile(opened, path)
		return err
	})
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
}
