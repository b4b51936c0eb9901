package file

import (
	"sivka.dev/go"
	"sivka.dev/go/internal/filesuite"
)

// Suite is an AEAD that seals the chunks of a file. Headers and slots have
// AES-256-GCM-SIV and SHA-512 with every suite.
//
// Its method Number returns the uint32 that files state, and String its name
// as the command sivka has it. Suites are compared by ==. Only this package
// and sivka.dev/go/file/kuznyechikmgm make any: nil in a list, and what new
// makes, are [ErrSuite].
type Suite = filesuite.Suite

// AES256GCMSIV is suite 1, which is used unless [WriterOptions] say otherwise.
var AES256GCMSIV = filesuite.New(filesuite.Parameters{
	Number:    1,
	Name:      "aes-256-gcm-siv",
	AEAD:      "AEAD_AES_256_GCM_SIV",
	NonceSize: 12,
	TagSize:   16,
	New:       func(key []byte) (filesuite.AEAD, error) { return sivka.NewAES256GCMSIV(key) },
})

// XChaCha20BLAKE2b is suite 2, with tags of 32 bytes. The third suite is in
// package sivka.dev/go/file/kuznyechikmgm.
var XChaCha20BLAKE2b = filesuite.New(filesuite.Parameters{
	Number:    2,
	Name:      "xchacha20-blake2b",
	AEAD:      "private.sivka.AEAD_XCHACHA20_BLAKE2B_32",
	NonceSize: 24,
	TagSize:   32,
	New:       func(key []byte) (filesuite.AEAD, error) { return sivka.NewXChaCha20BLAKE2b(key, 32) },
})

// checkSuites refuses what this module has not made.
func checkSuites(suites ...*Suite) error {
	for _, suite := range suites {
		if !filesuite.IsMade(suite) {
			return ErrSuite
		}
	}
	return nil
}

// find returns the suite of a number, nil if there is none.
func find(number uint32, others []*Suite) *Suite {
	for _, suite := range append([]*Suite{AES256GCMSIV, XChaCha20BLAKE2b}, others...) {
		if suite.Number() == number {
			return suite
		}
	}
	return nil
}
