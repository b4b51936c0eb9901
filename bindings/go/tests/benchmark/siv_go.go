//go:build siv_go

package main

import (
	"bytes"

	"github.com/secure-io/siv-go"

	"sivka.dev/go"
)

// ofSIVGo measures siv-go, whose last version is of 2018: AES-GCM-SIV, or
// AES-SIV with a nonce. They seal to the same bytes.
func ofSIVGo(isGCM bool) []peer {
	name, key := "siv-go AES-SIV-512, a nonce", must(siv.NewCMAC(raw))
	nonce, text := make([]byte, 16), make([]byte, 100)
	expected := must(sivka.NewAESSIV(raw)).SealStrings(nil, text, nil, nonce)
	if isGCM {
		name, key = "siv-go AES-256-GCM-SIV", must(siv.NewGCM(raw[:32]))
		nonce = nonce[:12]
		expected = must(sivka.NewAES256GCMSIV(raw[:32])).Seal(nil, nonce, text, nil)
	}
	if !bytes.Equal(key.Seal(nil, nonce, text, nil), expected) {
		panic("siv-go seals to other bytes")
	}
	return []peer{ofAEAD(name, key)}
}
