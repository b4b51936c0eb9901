package file

import (
	"crypto/hkdf"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// ChunkSize is the length in bytes of the plaintext of every chunk except the
// last, which is shorter.
const ChunkSize = 16384

const (
	// maxChunks is the most chunks of a file.
	maxChunks = 1 << 38
	// maxNonceSize is the longest nonce of a suite.
	maxNonceSize = 24
	payloadHead  = saltSize + secretSize
	// groupSize is how many chunks a goroutine works on before it asks for more.
	groupSize = 16
)

// chunkKey seals and opens the chunks of one file.
type chunkKey struct {
	aead  aead
	aad   []byte
	suite *Suite
	// base is the nonce of chunk 0.
	base [maxNonceSize]byte
}

// openPayload returns the key for the chunks after this head.
func openPayload(suite *Suite, fileKey, salt, head []byte, kind Kind) (*chunkKey, error) {
	key, expected, err := newPayload(suite, fileKey, salt, kind)
	if err == nil && subtle.ConstantTimeCompare(expected, head) != 1 {
		err = &Error{Name: "payload-mismatch"}
	}
	return key, err
}

// newPayload derives the key of the chunks, and the head before them: the salt
// and the commitment (section 6).
func newPayload(suite *Suite, fileKey, salt []byte, kind Kind) (*chunkKey, []byte, error) {
	info := "c2sp.org/chunked-encryption@v1+" + suite.aead + "\x00" + string(salt) + string([]byte{byte(kind)})
	derived, err := hkdf.Expand(sha512.New, fileKey, info, secretSize+suite.nonceSize+secretSize)
	if err != nil {
		return nil, nil, err
	}
	secret, rest := derived[:secretSize], derived[secretSize:]
	defer clear(secret)
	aead, err := suite.newKey(secret)
	if err != nil {
		return nil, nil, err
	}
	key := &chunkKey{aead: aead, suite: suite, aad: []byte(suite.chunkAAD)}
	copy(key.base[:], rest[:suite.nonceSize])
	if suite.clearsFirstBit {
		key.base[0] &= 0x7f
	}
	return key, slices.Concat(salt, rest[suite.nonceSize:]), nil
}

// sealedSize is the length of every sealed chunk except the last.
func (k *chunkKey) sealedSize() int { return ChunkSize + k.suite.tagSize }

// nonce writes the nonce of a chunk to place, and returns it.
func (k *chunkKey) nonce(place *[maxNonceSize]byte, chunk int64) []byte {
	*place = k.base
	end := place[k.suite.nonceSize-8 : k.suite.nonceSize]
	binary.BigEndian.PutUint64(end, binary.BigEndian.Uint64(end)^uint64(chunk))
	return place[:k.suite.nonceSize]
}

// seal seals so many chunks of text to sealed; the last may be short. It
// returns the written part.
func (k *chunkKey) seal(sealed, text []byte, chunk int64, count, goroutines int) []byte {
	each(count, goroutines, func(from, to int) bool {
		var place [maxNonceSize]byte
		for i := from; i < to; i++ {
			start, end := i*ChunkSize, min((i+1)*ChunkSize, len(text))
			k.aead.Seal(sealed[i*k.sealedSize():][:0], k.nonce(&place, chunk+int64(i)), text[start:end], k.aad)
		}
		return true
	})
	return sealed[:len(text)+count*k.suite.tagSize]
}

// open opens so many sealed chunks to text; the last may be short. It returns
// how many open before one that does not; the rest of text is zeros.
func (k *chunkKey) open(text, sealed []byte, chunk int64, count, goroutines int) int {
	var bad atomic.Int64
	bad.Store(int64(count))
	each(count, goroutines, func(from, to int) bool {
		var place [maxNonceSize]byte
		for i := from; i < to; i++ {
			start, end := i*k.sealedSize(), min((i+1)*k.sealedSize(), len(sealed))
			into := text[i*ChunkSize : i*ChunkSize : i*ChunkSize+end-start-k.suite.tagSize]
			if _, err := k.aead.Open(into, k.nonce(&place, chunk+int64(i)), sealed[start:end], k.aad); err != nil {
				lower(&bad, int64(i))
				return false
			}
		}
		return true
	})
	good := int(bad.Load())
	if good < count {
		clear(text[good*ChunkSize : len(sealed)-count*k.suite.tagSize])
	}
	return good
}

// lower makes a number the least of itself and another one.
func lower(number *atomic.Int64, other int64) {
	for {
		now := number.Load()
		if now <= other || number.CompareAndSwap(now, other) {
			return
		}
	}
}

// each calls work for groups of the numbers below count, in order, on at most
// so many goroutines, the caller's included. No group is begun after work has
// returned false.
func each(count, goroutines int, work func(from, to int) bool) {
	groups := (count + groupSize - 1) / groupSize
	var next atomic.Int64
	run := func() {
		for {
			from := int(next.Add(1)-1) * groupSize
			if from >= count {
				return
			}
			if !work(from, min(from+groupSize, count)) {
				next.Store(int64(groups))
			}
		}
	}
	var others sync.WaitGroup
	for range min(goroutines, groups) - 1 {
		others.Add(1)
		go func() {
			defer others.Done()
			run()
		}()
	}
	run()
	others.Wait()
}

// grown returns how many chunks a buffer for so many has next: one, a group,
// and from then on twice as many.
func grown(count int) int {
	if count == 0 {
		return 1
	}
	return max(2*count, groupSize)
}

// maxGoroutines is more than any machine has use for.
const maxGoroutines = 1024

// goroutinesOr returns how many goroutines to use if a number was given.
func goroutinesOr(given int) int {
	if given > 0 {
		return min(given, maxGoroutines)
	}
	return runtime.GOMAXPROCS(0)
}
