// Package kuznyechikmgm has the suite of sealed files that seals chunks with
// Kuznyechik-MGM (RFC 9058). Where a program has no machine code, its keys are
// [kuznyechik.ErrNoCode]. Programs that do not import it link no code of
// Kuznyechik.
package kuznyechikmgm

import (
	"sivka.dev/go/file"
	"sivka.dev/go/internal/filesuite"
	"sivka.dev/go/kuznyechik"
)

// Suite is suite 3 of the format, for [file.WriterOptions] and
// [file.ReaderOptions].
var Suite *file.Suite = filesuite.New(filesuite.Parameters{
	Number:         3,
	Name:           "kuznyechik-mgm",
	AEAD:           "private.sivka.AEAD_KUZNYECHIK_MGM",
	NonceSize:      16,
	TagSize:        16,
	ChunkAAD:       "sivka.file.v1 chunk",
	ClearsFirstBit: true,
	New:            func(key []byte) (filesuite.AEAD, error) { return kuznyechik.NewMGM(key) },
})
