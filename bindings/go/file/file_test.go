package file_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"sivka.dev/go"
	"sivka.dev/go/file"
)

// cheap is the cost of passphrases in tests.
var cheap = file.Cost{MemoryKiB: 64, Passes: 1, Lanes: 2}

// suites are those of this build.
var suites = []*file.Suite{file.AES256GCMSIV, file.XChaCha20BLAKE2b}

func init() {
	if sivka.Tier() != "go" {
		suites = append(suites, file.KuznyechikMGM)
	}
}

// sizes are around the ends of chunks, of groups of chunks, and of buffers.
var sizes = []int{0, 1, 16383, 16384, 16385, 2 * 16384, 5*16384 + 7, 16 * 16384, 40*16384 - 1, 100 * 16384}

// randomBytes are the same for a size.
func randomBytes(size int) []byte {
	random := rand.NewChaCha8([32]byte{byte(size)})
	bytes := make([]byte, size)
	_, _ = random.Read(bytes)
	return bytes
}

func must[T any](made T, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

var testKey = must(file.NewKeyFile(bytes.Repeat([]byte{7}, 32), "test"))

func keysOf(keys ...file.Key) []file.Key { return keys }

func sealed(text []byte, suite *file.Suite) []byte {
	var sink bytes.Buffer
	options := &file.WriterOptions{Suite: suite, Goroutines: 3}
	must(file.Seal(&sink, bytes.NewReader(text), keysOf(testKey), options))
	return sink.Bytes()
}

// openers read all of a file, each in another way.
var openers = map[string]func(sealed []byte) ([]byte, error){
	"Read": func(sealed []byte) ([]byte, error) {
		r, err := file.NewReader(bytes.NewReader(sealed), keysOf(testKey), options(3))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(r)
	},
	"Read by bytes": func(sealed []byte) ([]byte, error) {
		source := iotest.DataErrReader(iotest.HalfReader(bytes.NewReader(sealed)))
		r, err := file.NewReader(source, keysOf(testKey), options(1))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(iotest.HalfReader(r))
	},
	"WriteTo": func(sealed []byte) ([]byte, error) {
		r, err := file.NewReader(bytes.NewReader(sealed), keysOf(testKey), options(math.MaxInt))
		if err != nil {
			return nil, err
		}
		var sink bytes.Buffer
		_, err = io.Copy(&sink, r)
		return sink.Bytes(), err
	},
	"ReadAt": func(sealed []byte) ([]byte, error) {
		r, err := file.NewReaderAt(bytes.NewReader(sealed), int64(len(sealed)), keysOf(testKey), options(2))
		if err != nil {
			return nil, err
		}
		text := make([]byte, r.Size())
		size, err := r.ReadAt(text, 0)
		return text[:size], err
	},
}

func options(goroutines int) *file.ReaderOptions {
	return &file.ReaderOptions{Suites: suites, Goroutines: goroutines}
}

func TestEverySizeAndSuiteComesBack(t *testing.T) {
	for _, suite := range suites {
		for _, size := range sizes {
			text := randomBytes(size)
			from := sealed(text, suite)
			for name, open := range openers {
				if opened, err := open(from); (err != nil && size > 0) || !bytes.Equal(opened, text) {
					t.Errorf("%v, %d bytes, %s: %d bytes, %v", suite, size, name, len(opened), err)
				}
			}
		}
	}
}

// The bytes of a file do not depend on how it is written, except for what is
// drawn; so it is its length that is compared, and that it opens.
func TestPiecesOfEverySizeAreOneFile(t *testing.T) {
	text := randomBytes(37*16384 + 5)
	whole := len(sealed(text, file.AES256GCMSIV))
	for _, piece := range []int{1000, 16384, 16385, 50_000, len(text)} {
		var sink bytes.Buffer
		w := must(file.NewWriter(&sink, keysOf(testKey), nil))
		for part := range slices.Chunk(text, piece) {
			if n, err := w.Write(part); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		if err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Error("Close after Finish:", err)
		}
		opened, err := openers["Read"](sink.Bytes())
		if err != nil || !bytes.Equal(opened, text) || sink.Len() != whole {
			t.Errorf("pieces of %d: %d of %d bytes, %v", piece, len(opened), len(text), err)
		}
	}
}

// A deferred Close leaves a file that does not open.
func TestCloseEndsNoFile(t *testing.T) {
	for _, size := range sizes {
		var sink bytes.Buffer
		w := must(file.NewWriter(&sink, keysOf(testKey), nil))
		must(w.Write(randomBytes(size)))
		if err := w.Close(); err != file.ErrUnfinished {
			t.Error("Close:", err)
		}
		if err := w.Finish(); err != file.ErrUnfinished {
			t.Error("Finish:", err)
		}
		for way, open := range openers {
			if opened, err := open(sink.Bytes()); !errors.Is(err, file.ErrTruncated) || !bytes.HasPrefix(randomBytes(size), opened) {
				t.Errorf("%d bytes, %s: %d bytes, %v", size, way, len(opened), err)
			}
		}
	}
}

// limited is a sink that takes so many bytes, and then fails as it says.
type limited struct {
	room int
	end  func() (int, error)
}

func (l *limited) Write(bytes []byte) (int, error) {
	if l.room -= len(bytes); l.room >= 0 {
		return len(bytes), nil
	}
	return l.end()
}

func TestSinkThatFailsIsTheErrorOfAllThatFollows(t *testing.T) {
	text := randomBytes(100_000)
	for what, end := range map[string]func() (int, error){
		"an error":      func() (int, error) { return 0, io.ErrClosedPipe },
		"a short write": func() (int, error) { return 5, nil },
		"a panic":       func() (int, error) { panic("broken") },
	} {
		expected := map[string]error{"an error": io.ErrClosedPipe, "a short write": io.ErrShortWrite, "a panic": file.ErrUnfinished}[what]
		w := must(file.NewWriter(&limited{3000, end}, keysOf(testKey), nil))
		if err := quiet(func() error { _, err := w.Write(text); return err }); err != expected && what != "a panic" {
			t.Error(what, "Write:", err)
		}
		if _, err := w.Write([]byte{1}); err != expected {
			t.Error(what, "a later Write:", err)
		}
		if err := w.Finish(); err != expected {
			t.Error(what, "Finish:", err)
		}
		if what == "a panic" {
			continue
		}
		if _, err := file.NewWriter(&limited{0, end}, keysOf(testKey), nil); err != expected {
			t.Error(what, "NewWriter:", err)
		}
		if _, err := file.Seal(&limited{30_000, end}, bytes.NewReader(text), keysOf(testKey), nil); err != expected {
			t.Error(what, "Seal:", err)
		}
		r := must(file.NewReader(bytes.NewReader(sealed(text, suites[0])), keysOf(testKey), nil))
		if _, err := io.Copy(&limited{30_000, end}, r); err != expected {
			t.Error(what, "WriteTo:", err)
		}
	}
}

// The source's own errors are told from the end of the file, and what came
// before them is returned. Many programs take io.ErrUnexpectedEOF of
// io.ReadFull for a short last piece, and so it is wrapped.
func TestSourceThatFailsIsNoEnd(t *testing.T) {
	text := randomBytes(3*16384 + 9)
	from := sealed(text, file.AES256GCMSIV)
	for _, cut := range []int{5, 2048, 2104, 2104 + 16400, len(from) - 1} {
		for _, broken := range []error{errors.New("broken"), io.ErrUnexpectedEOF} {
			source := io.MultiReader(bytes.NewReader(from[:cut]), iotest.ErrReader(broken))
			r, err := file.NewReader(source, keysOf(testKey), nil)
			var opened []byte
			if err == nil {
				opened, err = io.ReadAll(r)
			}
			if !errors.Is(err, broken) || err == broken {
				t.Errorf("after %d bytes: %v", cut, err)
			}
			if expected := max(0, (cut-2104)/16400*16384); len(opened) != expected || !bytes.HasPrefix(text, opened) {
				t.Errorf("after %d bytes: %d bytes of plaintext", cut, len(opened))
			}
		}
	}
}

// Every chunk is changed, removed, repeated and moved, and the file cut and
// extended everywhere. Nothing but what comes before is returned.
func TestChunksThatAreChangedAreRefused(t *testing.T) {
	const size, count = 16400, 20
	text := randomBytes((count-1)*16384 + 100)
	from := sealed(text, file.AES256GCMSIV)
	head, body := from[:2104], from[2104:]
	chunk := func(i int) []byte { return body[i*size : min((i+1)*size, len(body))] }
	check := func(what string, intact int, parts ...[]byte) {
		t.Helper()
		changed := slices.Concat(parts...)
		for name, open := range openers {
			opened, err := open(changed)
			if !errors.Is(err, file.ErrDamaged) && !errors.Is(err, file.ErrTruncated) {
				t.Errorf("%s, %s: %v", what, name, err)
			}
			if len(opened) > intact*16384 || !bytes.HasPrefix(text, opened) {
				t.Errorf("%s, %s: %d bytes", what, name, len(opened))
			}
		}
	}
	for i := range count {
		flipped := bytes.Clone(chunk(i))
		flipped[len(flipped)/2] ^= 1
		before, after := body[:i*size], body[min((i+1)*size, len(body)):]
		check(fmt.Sprint("flipped ", i), i, head, before, flipped, after)
		check(fmt.Sprint("removed ", i), i, head, before, after)
		check(fmt.Sprint("repeated ", i), i+1, head, before, chunk(i), chunk(i), after)
		check(fmt.Sprint("cut ", i), i, head, before, chunk(i)[:50])
		if i > 0 {
			moved := slices.Concat(body[:(i-1)*size], chunk(i), chunk(i-1), after)
			check(fmt.Sprint("moved ", i), i-1, head, moved)
		}
	}
	check("extended", count-1, from, []byte{0})
	check("extended to a chunk", count-1, from, make([]byte, size-100-16))
	check("twice", count-1, from, from)
	other := sealed(text, file.AES256GCMSIV)
	check("another file's payload", 0, from[:2048], other[2048:])
	check("another file's chunks", 0, head, other[2104:])
}

// After the first chunk that does not open, all is zeros, whatever goroutines
// have found at the same time: the other chunks open, and are none of what may
// be seen.
func TestReadAtLeavesNothingAfterDamage(t *testing.T) {
	text := randomBytes(50 * 16384)
	for _, damaged := range [][]int{{20}, {31}, {16, 47}, {31, 32}} {
		from := sealed(text, file.AES256GCMSIV)
		for _, chunk := range damaged {
			from[2104+chunk*16400] ^= 1
		}
		first := damaged[0]
		r := must(file.NewReaderAt(bytes.NewReader(from), int64(len(from)), keysOf(testKey), options(4)))
		for range 100 {
			got := make([]byte, len(text))
			size, err := r.ReadAt(got, 0)
			var details *file.Error
			if size != first*16384 || !errors.As(err, &details) || details.Chunk != int64(first) || details.Name != "damaged" {
				t.Fatal(damaged, size, err)
			}
			if !bytes.Equal(got[:size], text[:size]) || bytes.Count(got[size:], []byte{0}) != len(text)-size {
				t.Fatal(damaged, "something is left after the damage")
			}
		}
		part := make([]byte, 3*16384)
		if size, err := r.ReadAt(part, 21*16384); size != len(part) || err != nil || !bytes.Equal(part, text[21*16384:24*16384]) {
			t.Error("after the damage:", size, err)
		}
	}
}

func TestReadAtIsAsOfTheText(t *testing.T) {
	text := randomBytes(40*16384 + 33)
	from := sealed(text, file.XChaCha20BLAKE2b)
	r := must(file.NewReaderAt(bytes.NewReader(from), int64(len(from)), keysOf(testKey), nil))
	if r.Size() != int64(len(text)) || r.Suite() != file.XChaCha20BLAKE2b {
		t.Error(r.Size(), r.Suite())
	}
	expected := bytes.NewReader(text)
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		offset, size := random.Int64N(int64(len(text))+10), random.IntN(1<<random.IntN(20))
		got, want := make([]byte, size), make([]byte, size)
		n, err := r.ReadAt(got, offset)
		m, wantErr := expected.ReadAt(want, offset)
		if n != m || (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes at %d: %d, %v and not %d, %v", size, offset, n, err, m, wantErr)
		}
	}
	if _, err := r.ReadAt(make([]byte, 1), -1); err == nil {
		t.Error("a negative offset")
	}
	if err := iotest.TestReader(io.NewSectionReader(r, 0, r.Size()), text); err != nil {
		t.Error(err)
	}
}

func TestEachOfManyKeysOpens(t *testing.T) {
	var keys []file.Key
	for i := range 14 {
		keys = append(keys, must(file.GenerateKeyFile(fmt.Sprint("key ", i))))
	}
	keys = append(keys, must(file.NewPassphrase([]byte("correct"))), must(file.NewPassphrase([]byte("horse"))))
	var sink bytes.Buffer
	must(file.Seal(&sink, strings.NewReader("meet at noon"), keys, &file.WriterOptions{Cost: cheap}))
	for _, key := range keys {
		r := must(file.NewReader(bytes.NewReader(sink.Bytes()), keysOf(testKey, key), nil))
		if text, err := io.ReadAll(r); string(text) != "meet at noon" || err != nil {
			t.Error(key, err)
		}
	}
	header, err := file.Inspect(sink.Bytes(), nil)
	if err != nil || header.Suite != file.AES256GCMSIV || len(header.Slots) != 16 || header.CopiesDiffer {
		t.Fatal(header, err)
	}
	slots := header.Slots
	if slots[3].KeyID != keys[3].(*file.KeyFile).ID() || slots[15] != (file.Slot{Kind: 2, Cost: cheap}) {
		t.Error(slots)
	}
	if _, err := file.NewReader(bytes.NewReader(sink.Bytes()), keysOf(testKey), nil); !errors.Is(err, file.ErrWrongKey) {
		t.Error("another key:", err)
	}
	// Two slots fit into the limit for all, and the third is not tried.
	passphrase := must(file.NewPassphrase([]byte("horse")))
	limit := &file.ReaderOptions{MaxCost: cheap}
	if _, err := file.NewReader(bytes.NewReader(sink.Bytes()), keysOf(passphrase), limit); !errors.Is(err, file.ErrCostTooHigh) {
		t.Error("over the limit:", err)
	}
	many := slices.Repeat(keysOf(testKey), 64)
	var long bytes.Buffer
	must(file.Seal(&long, strings.NewReader("meet at noon"), many, &file.WriterOptions{Goroutines: math.MaxInt}))
	for name, open := range openers {
		if text, err := open(long.Bytes()); string(text) != "meet at noon" {
			t.Error("64 keys:", name, err)
		}
	}
	if _, err := file.NewWriter(io.Discard, append(many, testKey), nil); err != file.ErrKeyCount {
		t.Error("65 keys:", err)
	}
	if _, err := file.NewWriter(io.Discard, nil, nil); err != file.ErrKeyCount {
		t.Error("no key:", err)
	}
	bad := &file.WriterOptions{Cost: file.Cost{MemoryKiB: 7, Passes: 1, Lanes: 1}}
	if _, err := file.NewWriter(io.Discard, keysOf(passphrase), bad); err != file.ErrBadCost {
		t.Error("a cost that is not:", err)
	}
}
