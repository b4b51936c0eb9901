// Package sivka is authenticated encryption that forgives mistakes: AES-GCM-SIV
// (RFC 8452), AES-SIV (RFC 5297) and the ChaCha20-BLAKE2b family, at the speed
// of the CPU. Kuznyechik (RFC 7801) and MGM (RFC 9058) are for protocols that
// ask for them.
//
// Its keys implement [crypto/cipher.AEAD]. In a program that uses AES-GCM, only
// the constructor changes:
//
//	aead, err := sivka.NewAES256GCMSIV(key)
//
// SealRandom draws a nonce and puts it in front of the message.
//
// The package needs no cgo. The machine code of Sivka's core, which is
// written in Rust, is part of a released module as the data of Go's assembler,
// one piece for each family of algorithms. A program links what it uses.
// [Tier] says what runs; each piece of code gives known answers once before its first
// use, or refuses to run.
//
// # Memory
//
// A key is wiped by its method Wipe, or after the collector has found that
// nothing refers to it any more. You wipe the bytes that it was made from.
//
// No function of Go gets a secret by value, so none is in a frame of Go. The
// machine code keeps secrets in registers, which it wipes, and on the
// goroutine's stack, below all frames of Go. Making a key, and messages of
// 64 KiB or more, overwrite what they left there. What shorter ones left
// stays until something else is written there, or until this goroutine calls
// Wipe: it overwrites all of the stack that is in no use. Call it no deeper
// in functions than the messages were sealed. Wipe does not reach
//
//   - the stacks of other goroutines that have used the key: let them call
//     Wipe, too. The memory of one that has ended is used again, and not
//     overwritten before.
//   - stacks that the goroutine had before. The runtime makes one larger when
//     a call needs more, and the collector makes it smaller. It copies what is
//     in use, and leaves the rest where it was. What one call leaves, Wipe
//     finds if neither happened in between; GODEBUG=gcshrinkstackoff=1 keeps
//     the collector from it.
//   - the registers of a call that a signal has interrupted. The operating
//     system has put them on the thread's stack for signals. The runtime sends
//     one where a call takes 10 ms, unless GODEBUG=asyncpreemptoff=1.
//
// Plain Go wipes nothing: Wipe lets go of the key. Package file derives its
// keys by crypto/hkdf and Argon2, which leave copies.
//
// # Misuse
//
// As keys of the standard library do, keys panic for misuse: a nonce of a
// wrong length, or buffers that overlap. So does a key that was wiped, or not
// made by its constructor, as the zero value.
//
// # Time
//
// A call is not preempted, and the collector waits for it, as it waits for
// Go's own AES-GCM. The first call of a goroutine lets its stack grow. The
// README says for how long, and how far.
package sivka

import "sivka.dev/go/internal/machine"

// Tier returns the name of the code that new keys use on this CPU: "avx512",
// "vaes256", "avx2" or "portable" on amd64, "neon" or "portable" on arm64.
// On other architectures, in a source tree where `cargo xtask blob` has not
// made the machine code, and in builds with the tag purego, it is "go". This
// is plain Go over crypto/aes and golang.org/x/crypto. It is slower, and as
// much constant time as those are.
func Tier() string {
	return machine.Chosen().String()
}
