// Package sivka is authenticated encryption that survives mistakes:
// AES-GCM-SIV (RFC 8452) at the speed of the CPU.
//
// Its keys implement [crypto/cipher.AEAD]. A program that uses AES-GCM needs
// another constructor and nothing else:
//
//	aead, err := sivka.NewAES256GCMSIV(key)
//
// Where the nonce is not yours to choose, SealRandom draws one and puts it
// in front of what it seals.
//
// The package needs no cgo. The machine code of Sivka's core, which is
// written in Rust, is part of it as the data of Go's assembler, one piece
// for each family of algorithms. A program links what it uses. [Tier] says
// what runs; each piece of code gives known answers once before its first
// use, or refuses to run.
//
// # Memory
//
// A key is wiped when nothing refers to it any more. A call keeps secrets in
// registers, which it wipes, and on the goroutine's stack. What calls for
// messages under 64 KiB have left there stays until something else is
// written there, or the key is wiped on the same stack.
//
// A call is not preempted: one for a MiB takes a tenth of a millisecond, and
// the collector waits for it, as it waits for Go's own AES-GCM.
package sivka

import "sivka.dev/go/internal/machine"

// Tier returns the name of the code that new keys use on this CPU: "avx512",
// "vaes256", "avx2" or "portable" on amd64, "neon" or "portable" on arm64.
// On other architectures, and in builds with the tag purego, it is "go":
// plain Go over crypto/aes and golang.org/x/crypto, which is slower and as
// much constant time as those are.
func Tier() string {
	return machine.Chosen().String()
}
