// Package backup is an example: how a backup tool seals chunks of 64 KiB on
// every core, and stores equal ones once. Copy what you need; for whole files
// there is package sivka.dev/go/file.
package backup

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"sivka.dev/go"
)

// ChunkSize is the length of every chunk but the last, in bytes.
const ChunkSize = 64 << 10

// ID names a chunk by its content, for those who have the key alone.
type ID [sha256.Size]byte

// Store keeps sealed chunks. Several goroutines call it at once.
type Store interface {
	Has(id ID) bool
	Put(id ID, sealed []byte) error
	Get(id ID) ([]byte, error)
}

// Vault seals to a store, and opens from it.
type Vault struct {
	store   Store
	key     *sivka.AES256GCMSIV
	nameKey []byte
}

// NewVault takes two keys of 32 bytes, one to seal and one to name chunks.
// Unkeyed names would tell everybody who reads the store whether it has a
// given content.
func NewVault(store Store, key, nameKey []byte) (*Vault, error) {
	sealing, err := sivka.NewAES256GCMSIV(key)
	if err != nil {
		return nil, err
	}
	if len(nameKey) != 32 {
		return nil, sivka.KeySizeError(len(nameKey))
	}
	return &Vault{store, sealing, nameKey}, nil
}

// Seal stores what source has, and returns the names of the chunks, in order.
// They are what opens it again: seal them too, with file.Seal for instance.
func (v *Vault) Seal(source io.Reader) ([]ID, error) {
	type job struct {
		id   *ID
		text []byte
	}
	workers := runtime.GOMAXPROCS(0)
	var (
		jobs   = make(chan job)
		spare  = make(chan []byte, 2*workers)
		failed = make(chan error, workers+1)
		all    sync.WaitGroup
	)
	for range cap(spare) {
		spare <- make([]byte, ChunkSize)
	}
	for range workers {
		all.Add(1)
		go func() {
			defer all.Done()
			var room []byte
			var failure error
			for job := range jobs {
				if failure == nil {
					*job.id, room, failure = v.sealChunk(room[:0], job.text)
				}
				spare <- job.text[:ChunkSize]
			}
			failed <- failure
		}()
	}
	var ids []*ID
	var err error
	for err == nil {
		text, size := <-spare, 0
		for size < ChunkSize && err == nil {
			var n int
			n, err = source.Read(text[size:])
			size += n
		}
		if size > 0 {
			ids = append(ids, new(ID))
			jobs <- job{ids[len(ids)-1], text[:size]}
		}
	}
	close(jobs)
	all.Wait()
	// Only io.EOF is the end; io.ErrUnexpectedEOF is a source that was cut.
	if err != io.EOF {
		return nil, err
	}
	names := make([]ID, len(ids))
	for range workers {
		if err := <-failed; err != nil {
			return nil, err
		}
	}
	for i, id := range ids {
		names[i] = *id
	}
	return names, nil
}

// sealChunk stores a chunk unless it is there. The name is additional data, so
// that the store cannot give one chunk for another.
func (v *Vault) sealChunk(room, text []byte) (ID, []byte, error) {
	id := v.name(text)
	if v.store.Has(id) {
		return id, room, nil
	}
	sealed := v.key.SealRandom(room, text, id[:])
	return id, sealed, v.store.Put(id, sealed)
}

func (v *Vault) name(text []byte) ID {
	mac := hmac.New(sha256.New, v.nameKey)
	mac.Write(text)
	return ID(mac.Sum(nil))
}

// Open writes chunks to sink, in order. The error of a chunk that does not
// open says which one it is; those before it were written.
func (v *Vault) Open(sink io.Writer, ids []ID) error {
	for i, id := range ids {
		sealed, err := v.store.Get(id)
		if err != nil {
			return fmt.Errorf("backup: chunk %d: %w", i, err)
		}
		text, err := v.key.OpenRandom(nil, sealed, id[:])
		if err != nil {
			return fmt.Errorf("backup: chunk %d: %w", i, err)
		}
		if _, err := sink.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// ErrNoChunk says that a store has no chunk of a name.
var ErrNoChunk = errors.New("backup: no such chunk")

// Memory is a store for tests.
type Memory struct {
	mutex  sync.Mutex
	chunks map[ID][]byte
}

// Has reports whether there is a chunk of this name.
func (m *Memory) Has(id ID) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	_, has := m.chunks[id]
	return has
}

// Put copies a chunk.
func (m *Memory) Put(id ID, sealed []byte) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.chunks == nil {
		m.chunks = map[ID][]byte{}
	}
	m.chunks[id] = append([]byte(nil), sealed...)
	return nil
}

// Get returns a chunk, or ErrNoChunk.
func (m *Memory) Get(id ID) ([]byte, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	sealed, has := m.chunks[id]
	if !has {
		return nil, ErrNoChunk
	}
	return sealed, nil
}
