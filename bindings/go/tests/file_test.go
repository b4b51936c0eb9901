package tests

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sivka.dev/go"
	"sivka.dev/go/file"
	"sivka.dev/go/file/kuznyechikmgm"
)

// fileSuites are those of this build beside the two that are always there.
var fileSuites = func() []*file.Suite {
	if sivka.Tier() == "go" {
		return nil
	}
	return []*file.Suite{kuznyechikmgm.Suite}
}()

// fileVector is a file of vectors/file-v1, of which section 10 of the
// specification has the form.
type fileVector struct {
	head   map[string]string
	key    file.Key
	sealed []byte
}

func readFileVector(t *testing.T, path string) fileVector {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, sealed, _ := bytes.Cut(content, []byte("\n\n"))
	v := fileVector{make(map[string]string), nil, sealed}
	for line := range strings.Lines(string(head)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		v.head[name] = value
		switch name {
		case "key":
			var secret []byte
			if secret, err = hex.DecodeString(value); err == nil {
				v.key, err = file.NewKeyFile(secret, "vector")
			}
		case "passphrase":
			v.key, err = file.NewPassphrase([]byte(value))
		case "identity":
			v.key, err = file.GenerateKeyFile("another")
		}
		if err != nil {
			t.Fatal(path, err)
		}
	}
	if v.head["identity"] != "" {
		// Slots for identities are well formed, and open with no key here.
		v.head["expect"], v.head["payload"] = "no-slot-opens", hex.EncodeToString(sumOfNothing[:])
		delete(v.head, "kind")
	}
	return v
}

// sumOfNothing is that of what a file releases that no key opens.
var sumOfNothing = sha256.Sum256(nil)

// named returns the name of an error in section 9 of the specification.
func named(err error) string {
	var details *file.Error
	if errors.As(err, &details) {
		return details.Name
	}
	if err == nil {
		return "success"
	}
	return err.Error()
}

func TestFileVectors(t *testing.T) {
	paths, err := filepath.Glob("../../../vectors/file-v1/*.vec")
	if err != nil {
		t.Fatal(err)
	}
	options := &file.ReaderOptions{Suites: fileSuites, Goroutines: 2, Compressed: true}
	played := 0
	for _, path := range paths {
		if len(fileSuites) == 0 && strings.Contains(filepath.Base(path), "kuznyechik") {
			continue
		}
		played++
		t.Run(filepath.Base(path), func(t *testing.T) {
			v := readFileVector(t, path)
			keys := []file.Key{v.key}
			var streamed bytes.Buffer
			r, err := file.NewReader(bytes.NewReader(v.sealed), keys, options)
			if err == nil {
				_, err = io.Copy(&streamed, r)
			}
			if named(err) != v.head["expect"] {
				t.Errorf("%v, but expected %s", err, v.head["expect"])
			}
			if sum := sha256.Sum256(streamed.Bytes()); hex.EncodeToString(sum[:]) != v.head["payload"] {
				t.Errorf("%d bytes are not those that may be released", streamed.Len())
			}
			if r != nil {
				copies := map[bool]string{false: "equal", true: "differ"}[r.CopiesDiffer()]
				if kind := strconv.Itoa(int(r.Kind())); kind != v.head["kind"] || copies != v.head["copies"] {
					t.Errorf("kind %s, the copies: %s", kind, copies)
				}
			}
			// The end is looked at first, so the reason may be another one.
			var read []byte
			at, err := file.NewReaderAt(bytes.NewReader(v.sealed), int64(len(v.sealed)), keys, options)
			if err == nil {
				read, err = io.ReadAll(io.NewSectionReader(at, 0, at.Size()))
			}
			if (err == nil) != (v.head["expect"] == "success") || !bytes.HasPrefix(streamed.Bytes(), read) {
				t.Errorf("in parts: %d bytes, %v", len(read), err)
			}
			if v.head["expect"] == "success" && len(read) != streamed.Len() {
				t.Errorf("in parts: %d of %d bytes", len(read), streamed.Len())
			}
		})
	}
	if expected := map[bool]int{true: 259, false: 248}[len(fileSuites) > 0]; played != expected {
		t.Errorf("%d vectors, expected %d", played, expected)
	}
}
