package pure

import (
	"sync/atomic"

	"sivka.dev/go/internal/machine"
)

// Key is a key until it is let go of.
type Key[K any] struct{ key atomic.Pointer[K] }

// Set says which key it is.
func (k *Key[K]) Set(key *K) { k.key.Store(key) }

// Get returns the key, and panics if it was let go of.
func (k *Key[K]) Get() *K {
	key := k.key.Load()
	if key == nil {
		machine.Wiped()
	}
	return key
}

// Drop lets go of the key.
func (k *Key[K]) Drop() { k.key.Store(nil) }
