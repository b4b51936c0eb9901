//go:build (amd64 || arm64) && !purego

package kuznyechik

import (
	"crypto/cipher"
	"errors"
	"unsafe"

	"sivka.dev/go/internal/machine"
)

var (
	_ cipher.Stream = (*CTR)(nil)
	_ cipher.Stream = (*CTRACPKM)(nil)
)

// ErrIVSize says that an IV does not have 8 bytes.
var ErrIVSize = errors.New("kuznyechik: invalid IV size")

// ErrSectionSize says that a section is no positive multiple of 16 bytes.
var ErrSectionSize = errors.New("kuznyechik: invalid section size")

// CTR is the keystream of counter mode (GOST R 34.13-2015, section 5.2, with
// whole blocks of keystream). It implements [cipher.Stream], for one
// goroutine at a time.
//
// Nothing is authenticated, and two messages under one key and IV reveal the
// difference of their plaintexts. A keystream has 2^64 blocks.
type CTR struct {
	*ownedKey
}

// NewCTR begins the keystream of a key of 32 bytes and an IV of 8. The errors
// are [sivka.KeySizeError], [ErrIVSize] and [sivka.ErrSelfCheck].
func NewCTR(key, iv []byte) (*CTR, error) {
	if len(iv) != IVSize {
		return nil, ErrIVSize
	}
	made, err := makeKey(key, iv, 0, newCTR)
	if err != nil {
		return nil, err
	}
	return &CTR{made}, nil
}

// XORKeyStream goes on with the keystream: it encrypts or decrypts src to
// dst, which is as long or longer and overlaps src exactly or not at all.
func (c *CTR) XORKeyStream(dst, src []byte) {
	place := c.place()
	bytes := copied(dst, src)
	status := xorCTR(place, unsafe.SliceData(bytes), len(bytes))
	if c.room.IsWiped() {
		machine.WipedMeanwhile(bytes)
	}
	machine.Must(status)
}

// CTRACPKM is the keystream of counter mode with a new key for every section
// (CTR-ACPKM, RFC 8645, section 6.2.2, with a counter of 64 bits). It is as
// [CTR] otherwise.
type CTRACPKM struct {
	*ownedKey
}

// NewCTRACPKM begins the keystream of a key of 32 bytes and an IV of 8; the
// key changes after every sectionSize bytes. The errors are those of
// [NewCTR], and [ErrSectionSize].
func NewCTRACPKM(key, iv []byte, sectionSize int) (*CTRACPKM, error) {
	if len(iv) != IVSize {
		return nil, ErrIVSize
	}
	if sectionSize <= 0 || sectionSize%BlockSize != 0 {
		return nil, ErrSectionSize
	}
	made, err := makeKey(key, iv, sectionSize, newACPKM)
	if err != nil {
		return nil, err
	}
	return &CTRACPKM{made}, nil
}

// XORKeyStream is as [CTR.XORKeyStream].
func (c *CTRACPKM) XORKeyStream(dst, src []byte) {
	place := c.place()
	bytes := copied(dst, src)
	status := xorACPKM(place, unsafe.SliceData(bytes), len(bytes))
	if c.room.IsWiped() {
		machine.WipedMeanwhile(bytes)
	}
	machine.Must(status)
}
