package tests

import (
	"bytes"
	"crypto/cipher"
	"reflect"
	"runtime"
	"sync"
	"testing"

	"sivka.dev/go"
)

// batchOf returns some messages of zeros for a key.
func batchOf(key cipher.AEAD, count int) *sivka.Batch {
	b := &sivka.Batch{Nonces: make([]byte, count*key.NonceSize()), Tags: make([]byte, count*key.Overhead())}
	for range count {
		b.Texts = append(b.Texts, make([]byte, 64))
	}
	return b
}

func TestAKeyThatIsNoneAnyMoreOrYetPanics(t *testing.T) {
	for _, key := range everyKind(t) {
		notMade := reflect.New(reflect.TypeOf(key).Elem()).Interface().(aead)
		nonce := make([]byte, key.NonceSize())
		sealed := key.Seal(nil, nonce, []byte("text"), nil)
		few, many := batchOf(key, 3), batchOf(key, 40)
		name := key.String()
		key.Wipe()
		key.Wipe()
		if key.String() != name || key.NonceSize() != len(nonce) || key.Overhead() != len(sealed)-4 {
			t.Errorf("%s: its name or a size is another one", name)
		}
		// These must not panic: programs print what they have.
		notMade.Wipe()
		_, _ = notMade.String(), notMade.GoString()
		for expected, key := range map[string]aead{
			"sivka: use of a key that was wiped":                       key,
			"sivka: use of a key that was not made by its constructor": notMade,
		} {
			room := make([]byte, 0, 100)
			for what, call := range map[string]func(){
				"Seal":           func() { key.Seal(room, nonce, []byte("text"), nil) },
				"Open":           func() { _, _ = key.Open(room, nonce, sealed, nil) },
				"SealBatch":      func() { key.SealBatch(many) },
				"OpenBatch":      func() { _ = key.OpenBatch(many) },
				"SealBatch, few": func() { key.SealBatch(few) },
				"OpenBatch, few": func() { _ = key.OpenBatch(few) },
			} {
				if said := panics(call); said != expected {
					t.Errorf("%s, %s: %q", name, what, said)
				}
			}
			if !bytes.Equal(room[:100], make([]byte, 100)) {
				t.Errorf("%s: something was written", name)
			}
		}
	}
}

func TestACopyIsWipedWithItsKey(t *testing.T) {
	key := key(t)
	copied := *key
	key.Wipe()
	if panics(func() { copied.SealRandom(nil, nil, nil) }) == "" {
		t.Error("the copy seals")
	}
}

// What is sealed while another goroutine wipes the key is right, or nothing:
// never what zeros as a key give.
func TestWipingMeanwhileSealsNothingUnderZeros(t *testing.T) {
	if !wipes() {
		t.Skip("plain Go wipes nothing")
	}
	expected := key(t).Seal(nil, make([]byte, 12), make([]byte, 4096), nil)
	for range 2000 {
		key, err := sivka.NewAES256GCMSIV(make([]byte, 32))
		if err != nil {
			t.Fatal(err)
		}
		var both sync.WaitGroup
		both.Add(2)
		room := make([]byte, 4096, 8192)
		go func() {
			defer both.Done()
			runtime.Gosched()
			key.Wipe()
		}()
		go func() {
			defer both.Done()
			said := ""
			for said == "" {
				clear(room[:8192])
				said = panics(func() { key.Seal(room[:0], make([]byte, 12), make([]byte, 4096), nil) })
				written := room[:len(expected)]
				if said == "" && !bytes.Equal(written, expected) || said != "" && !bytes.Equal(written, make([]byte, len(expected))) {
					t.Errorf("%q, and written: %x", said, written[:16])
				}
			}
		}()
		both.Wait()
	}
}

// wipes reports whether this build wipes what it has.
func wipes() bool { return sivka.Tier() != "go" }
