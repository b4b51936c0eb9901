package file_test

import (
	"bytes"
	"testing"

	"sivka.dev/go/file"
)

func TestAWipedKeyNeitherSealsNorOpens(t *testing.T) {
	keyFile := must(file.GenerateKeyFile("name"))
	passphrase := must(file.NewPassphrase([]byte("correct horse")))
	cheap := &file.WriterOptions{Cost: file.Cost{MemoryKiB: 8192, Passes: 1, Lanes: 1}}
	for _, key := range []interface {
		file.Key
		Wipe()
	}{keyFile, passphrase} {
		keys := []file.Key{key}
		var sealed bytes.Buffer
		w := must(file.NewWriter(&sealed, keys, cheap))
		key.Wipe()
		key.Wipe()
		if _, err := file.NewWriter(&bytes.Buffer{}, keys, cheap); err != file.ErrKey {
			t.Errorf("%T seals: %v", key, err)
		}
		// What was begun before goes on.
		must(w.Write([]byte("text")))
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		if _, err := file.NewReader(&sealed, keys, nil); err != file.ErrKey {
			t.Errorf("%T opens: %v", key, err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a wiped key file has a text")
		}
	}()
	keyFile.Text()
}
