package file_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"time"

	"sivka.dev/go"
	"sivka.dev/go/file"
)

// owner has the method of a key, and is none.
type owner struct{ *file.KeyFile }

func TestWhatIsNoKeySealsAndOpensNothing(t *testing.T) {
	var noKeyFile *file.KeyFile
	var noPassphrase *file.Passphrase
	for _, keys := range [][]file.Key{
		{nil},
		{testKey, nil},
		{owner{testKey}},
		{&owner{testKey}, testKey},
		{noKeyFile},
		{noPassphrase},
		{new(file.KeyFile)},
		{new(file.Passphrase)},
	} {
		var sink bytes.Buffer
		if _, err := file.Seal(&sink, bytes.NewReader([]byte("text")), keys, nil); !errors.Is(err, file.ErrKey) || sink.Len() != 0 {
			t.Errorf("%v: %v, %d bytes", keys, err, sink.Len())
		}
		from := sealed([]byte("text"), suites[0])
		if _, err := file.NewReader(bytes.NewReader(from), keys, nil); !errors.Is(err, file.ErrKey) {
			t.Errorf("%v: %v", keys, err)
		}
	}
}

// What is copied of a key keeps the collector from wiping it.
func TestACopyKeepsItsKey(t *testing.T) {
	secret, words := bytes.Repeat([]byte{7}, file.KeySize), []byte("words")
	copied := func() (file.KeyFile, file.Passphrase) {
		return *must(file.NewKeyFile(secret, "me")), *must(file.NewPassphrase(words))
	}
	key, passphrase := copied()
	for range 5 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	var sink bytes.Buffer
	must(file.Seal(&sink, bytes.NewReader([]byte("text")), keysOf(&key, &passphrase), &file.WriterOptions{Cost: cheap}))
	for _, key := range keysOf(must(file.NewKeyFile(secret, "me")), must(file.NewPassphrase(words))) {
		r, err := file.NewReader(bytes.NewReader(sink.Bytes()), keysOf(key), nil)
		if err != nil {
			t.Fatal(key, err)
		}
		if text, err := io.ReadAll(r); err != nil || string(text) != "text" {
			t.Error(key, string(text), err)
		}
	}
}

// A suite of zeros panicked, and one in a list opened files of suite 0.
func TestSuitesThatNobodyHasMade(t *testing.T) {
	if _, err := file.NewWriter(io.Discard, keysOf(testKey), &file.WriterOptions{Suite: new(file.Suite)}); err != file.ErrSuite {
		t.Error(err)
	}
	from := sealed([]byte("text"), suites[0])
	for _, suite := range []*file.Suite{nil, new(file.Suite)} {
		options := &file.ReaderOptions{Suites: []*file.Suite{suite}}
		if _, err := file.NewReader(bytes.NewReader(from), keysOf(testKey), options); err != file.ErrSuite {
			t.Error(err)
		}
		if _, err := file.NewReaderAt(bytes.NewReader(from), int64(len(from)), keysOf(testKey), options); err != file.ErrSuite {
			t.Error(err)
		}
		if _, err := file.Inspect(from, options); err != file.ErrSuite {
			t.Error(err)
		}
	}
}

func TestSuiteThatIsNotGivenIsUnknown(t *testing.T) {
	if sivka.Tier() == "go" {
		t.Skip("no Kuznyechik in plain Go")
	}
	from := sealed([]byte("meet at noon"), file.KuznyechikMGM)
	_, err := file.NewReader(bytes.NewReader(from), keysOf(testKey), nil)
	var details *file.Error
	if !errors.Is(err, file.ErrNewer) || !errors.As(err, &details) || details.Number != 3 {
		t.Error(err)
	}
}
