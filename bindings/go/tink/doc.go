// Package tink runs the keysets of tink-go on Sivka's code: a
// [keyset.Handle] gives a [tink.AEAD] or a [tink.DeterministicAEAD], the bytes
// of which are those of tink-go.
//
// Keys of AES-GCM-SIV and of AES-SIV are Sivka's. All others in the keyset are
// tink-go's, so any keyset of these primitives works. tink-go makes and checks
// the primitive first: what it refuses is refused here.
//
// What differs: tink-go's monitoring does not see the calls of Sivka's keys.
package tink
