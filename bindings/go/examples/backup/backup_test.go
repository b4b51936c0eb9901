package backup_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"sivka.dev/go"
	"sivka.dev/go/examples/backup"
)

func newVault(store backup.Store) *backup.Vault {
	vault, err := backup.NewVault(store, bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32))
	if err != nil {
		panic(err)
	}
	return vault
}

func randomBytes(size int) []byte {
	random := rand.NewChaCha8([32]byte{byte(size)})
	bytes := make([]byte, size)
	_, _ = random.Read(bytes)
	return bytes
}

func TestWhatIsSealedComesBack(t *testing.T) {
	vault := newVault(new(backup.Memory))
	for _, size := range []int{0, 1, backup.ChunkSize, 10*backup.ChunkSize + 5} {
		text := randomBytes(size)
		ids, err := vault.Seal(iotest.HalfReader(bytes.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		var opened bytes.Buffer
		if err := vault.Open(&opened, ids); err != nil || !bytes.Equal(opened.Bytes(), text) {
			t.Errorf("%d bytes: %d, %v", size, opened.Len(), err)
		}
	}
}

// counting is a store that counts what is put, and fails if it has so many.
type counting struct {
	backup.Memory
	puts atomic.Int64
	most int64
}

func (c *counting) Put(id backup.ID, sealed []byte) error {
	if c.puts.Add(1) > c.most {
		return io.ErrShortWrite
	}
	return c.Memory.Put(id, sealed)
}

func TestEqualChunksAreStoredOnce(t *testing.T) {
	store := &counting{most: 1000}
	vault := newVault(store)
	text := randomBytes(20 * backup.ChunkSize)
	for range 2 {
		if _, err := vault.Seal(bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	if puts := store.puts.Load(); puts != 20 {
		t.Errorf("%d chunks are stored", puts)
	}
}

func TestErrorsOfSourceAndStoreAreReturned(t *testing.T) {
	text := randomBytes(20 * backup.ChunkSize)
	for _, broken := range []error{errors.New("broken"), io.ErrUnexpectedEOF} {
		source := io.MultiReader(bytes.NewReader(text), iotest.ErrReader(broken))
		if ids, err := newVault(new(backup.Memory)).Seal(source); err != broken || ids != nil {
			t.Error(len(ids), err)
		}
	}
	if ids, err := newVault(&counting{most: 0}).Seal(bytes.NewReader(text)); err != io.ErrShortWrite || ids != nil {
		t.Error(len(ids), err)
	}
}

// A store that gives what it should not: another chunk, a changed one, none.
func TestStoreCannotChangeContent(t *testing.T) {
	store := new(backup.Memory)
	vault := newVault(store)
	ids, err := vault.Seal(bytes.NewReader(randomBytes(5 * backup.ChunkSize)))
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := store.Get(ids[3])
	other, _ := store.Get(ids[1])
	changed := bytes.Clone(whole)
	changed[100] ^= 1
	for _, sealed := range [][]byte{other, changed, whole[:len(whole)-1], nil} {
		_ = store.Put(ids[3], sealed)
		var opened bytes.Buffer
		err := vault.Open(&opened, ids)
		if !errors.Is(err, sivka.ErrOpen) || opened.Len() != 3*backup.ChunkSize {
			t.Error(opened.Len(), err)
		}
	}
	if err := vault.Open(io.Discard, []backup.ID{{}}); !errors.Is(err, backup.ErrNoChunk) {
		t.Error(err)
	}
}

func Example() {
	vault := newVault(new(backup.Memory))
	ids, err := vault.Seal(bytes.NewReader(make([]byte, 200_000)))
	if err != nil {
		panic(err)
	}
	var opened bytes.Buffer
	err = vault.Open(&opened, ids)
	fmt.Println(len(ids), "chunks,", opened.Len(), "bytes,", err)
	// Output: 4 chunks, 200000 bytes, <nil>
}

// nowhere is a store that keeps nothing.
type nowhere struct{ backup.Memory }

func (*nowhere) Put(backup.ID, []byte) error { return nil }
func (*nowhere) Has(backup.ID) bool          { return false }

func BenchmarkSeal(b *testing.B) {
	vault, text := newVault(&nowhere{}), randomBytes(64<<20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := vault.Seal(bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
