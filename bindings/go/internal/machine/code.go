package machine

import "unsafe"

// Entry is a function of the machine code. It takes the address of its
// arguments, as bindings/go/blob has them, keeps nothing of them, and returns
// what status.go says. While it runs, the goroutine cannot be preempted.
type Entry struct {
	Run func(arguments unsafe.Pointer) uint64
	// Frame is the stack that it is given, in bytes.
	Frame int
}

// Entries are those of one algorithm, by the numbers below.
type Entries [6]Entry

// Numbers of entries. A block cipher has no batches, and encrypts and decrypts
// blocks by the two for one message.
const (
	KnownAnswers = iota
	NewKey
	Seal
	Open
	SealBatch
	OpenBatch
)

// Arguments of entries.
type (
	// Asking is for known answers.
	Asking struct{ Features, Tier uint64 }
	// Making makes a key at a place.
	Making struct {
		Place          unsafe.Pointer
		Key            *byte
		Features, Tier uint64
		TagSize        int
	}
	// Call seals or opens a message.
	Call struct {
		Key        unsafe.Pointer
		Nonce, AAD *byte
		AADSize    int
		From, To   *byte
		Size       int
		Tag        *byte
		TagSize    int
	}
	// ListCall is one of AES-SIV, with strings of associated data.
	ListCall struct {
		Key      unsafe.Pointer
		AADs     *[]byte
		AADCount int
		From, To *byte
		Size     int
		Tag      *byte
	}
	// BatchCall seals or opens many messages; batch.Slab has their addresses.
	BatchCall struct{ Key, Slab unsafe.Pointer }
	// BlocksCall encrypts or decrypts blocks in place.
	BlocksCall struct {
		Key   unsafe.Pointer
		Bytes *byte
		Size  int
	}
)

// Code is the machine code. `cargo xtask blob` writes files with methods of it,
// which hide those of none. Where there are none, the packages are plain Go.
var Code code

type code struct{ none }

type none struct{}

func (none) present() bool { return false }

// Arguments is the type that an entry takes, for the address of its arguments.
// Plain Go gets it as it is, and may let them escape. The machine code keeps
// nothing of them, so it is hidden from the compiler, which leaves them on the
// stack.
func (none) Arguments(address unsafe.Pointer) unsafe.Pointer { return address }

// HasCode reports whether this program has machine code. The compiler knows it,
// and leaves out the code for the other case.
func HasCode() bool { return Code.present() }

// Each of these returns the entries of an algorithm, or nil. A program links
// only the used ones.
func (none) CPU() *Entries                 { return nil }
func (none) GCMSIV128() *Entries           { return nil }
func (none) GCMSIV256() *Entries           { return nil }
func (none) AESSIV256() *Entries           { return nil }
func (none) AESSIV384() *Entries           { return nil }
func (none) AESSIV512() *Entries           { return nil }
func (none) ChaCha20BLAKE2b() *Entries     { return nil }
func (none) XChaCha20BLAKE2b() *Entries    { return nil }
func (none) XChaCha20BLAKE2bSIV() *Entries { return nil }
func (none) Kuznyechik() *Entries          { return nil }
func (none) KuznyechikMGM() *Entries       { return nil }
