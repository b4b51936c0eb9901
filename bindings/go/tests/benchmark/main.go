// Benchmark measures sivka beside other packages: short batches in turn, so
// that what disturbs the machine disturbs all of them. It prints the fastest
// and the median batch, in nanoseconds a call.
package main

import (
	"crypto/aes"
	"crypto/cipher"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/tink-crypto/tink-go/v2/aead/subtle"
	"golang.org/x/crypto/chacha20poly1305"

	"sivka.dev/go"
)

// peer is a way to seal and to open a message.
type peer struct {
	name string
	// prepare returns calls for messages of a size.
	prepare func(size int) (seal, open func())
}

// ofAEAD measures a cipher.AEAD in the caller's buffers.
func ofAEAD(name string, key cipher.AEAD) peer {
	return peer{name, func(size int) (seal, open func()) {
		nonce, text, room := make([]byte, key.NonceSize()), make([]byte, size), make([]byte, 0, size+key.Overhead())
		sealed := key.Seal(nil, nonce, text, nil)
		seal = func() { key.Seal(room, nonce, text, nil) }
		open = func() {
			if _, err := key.Open(room, nonce, sealed, nil); err != nil {
				panic(err)
			}
		}
		return seal, open
	}}
}

func ofTink(name string, key *subtle.AESGCMSIV) peer {
	return peer{name, func(size int) (seal, open func()) {
		text := make([]byte, size)
		sealed, err := key.Encrypt(text, nil)
		if err != nil {
			panic(err)
		}
		seal = func() {
			if _, err := key.Encrypt(text, nil); err != nil {
				panic(err)
			}
		}
		open = func() {
			if _, err := key.Decrypt(sealed, nil); err != nil {
				panic(err)
			}
		}
		return seal, open
	}}
}

// must ends the program where a key cannot be made.
func must[K any](key K, err error) K {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return key
}

func peers() []peer {
	raw := make([]byte, 32)
	return []peer{
		ofAEAD("sivka AES-256-GCM-SIV", must(sivka.NewAES256GCMSIV(raw))),
		ofAEAD("Go AES-256-GCM", must(cipher.NewGCM(must(aes.NewCipher(raw))))),
		ofAEAD("x/crypto ChaCha20-Poly1305", must(chacha20poly1305.New(raw))),
		ofTink("tink-go AES-256-GCM-SIV", must(subtle.NewAESGCMSIV(raw))),
	}
}

// batch is how long a batch takes, about.
const batch = 200 * time.Microsecond

// measured is a call, and how long it took in each batch.
type measured struct {
	call  func()
	times int
	nanos []float64
}

func (m *measured) calibrate() {
	m.times = 1
	for {
		start := time.Now()
		m.run()
		if taken := time.Since(start); taken > batch/2 || m.times > 1<<20 {
			return
		}
		m.times *= 2
	}
}

func (m *measured) run() {
	for range m.times {
		m.call()
	}
}

// alternate runs one batch of each in turn, so many times.
func alternate(calls []*measured, rounds int) {
	for _, m := range calls {
		m.calibrate()
	}
	for range rounds {
		for _, m := range calls {
			start := time.Now()
			m.run()
			m.nanos = append(m.nanos, float64(time.Since(start).Nanoseconds())/float64(m.times))
		}
	}
	for _, m := range calls {
		slices.Sort(m.nanos)
	}
}

func main() {
	rounds := flag.Int("rounds", 200, "batches of each")
	flag.Parse()
	fmt.Printf("%s, %s/%s, tier %s; ns a call, fastest batch and median of %d\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, sivka.Tier(), *rounds)
	all := peers()
	for _, size := range []int{16, 64, 256, 1024, 8192, 65536, 1 << 20} {
		for _, direction := range []string{"seal", "open"} {
			var calls []*measured
			for _, p := range all {
				seal, open := p.prepare(size)
				call := map[string]func(){"seal": seal, "open": open}[direction]
				calls = append(calls, &measured{call: call})
			}
			alternate(calls, *rounds)
			for i, m := range calls {
				fmt.Printf("%7d %s %-28s %10.1f %10.1f\n", size, direction, all[i].name, m.nanos[0], m.nanos[len(m.nanos)/2])
			}
		}
	}
}
