package machine

import "unsafe"

// Call is a message of AES-GCM-SIV that is sealed or opened, as
// bindings/go/blob has it.
type Call struct {
	Key      unsafe.Pointer
	Nonce    *[12]byte
	AAD      *byte
	AADSize  int
	From, To *byte
	Size     int
	Tag      *[16]byte
}
