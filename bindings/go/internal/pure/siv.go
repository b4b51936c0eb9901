package pure

import (
	"crypto/cipher"
	"crypto/subtle"
)

// SIV is a key of AES-SIV (RFC 5297).
type SIV struct {
	mac, ctr cipher.Block
	// k1 and k2 are the subkeys of CMAC (NIST SP 800-38B, section 6.1).
	k1, k2 [blockSize]byte
}

// NewSIV makes a key of 32, 48 or 64 bytes.
func NewSIV(key []byte) *SIV {
	k := &SIV{mac: newAES(key[:len(key)/2]), ctr: newAES(key[len(key)/2:])}
	k.mac.Encrypt(k.k1[:], k.k1[:])
	double(&k.k1)
	k.k2 = k.k1
	double(&k.k2)
	return k
}

// double multiplies by x in GF(2^128) (RFC 5297, section 2.3).
func double(block *[blockSize]byte) {
	carry := block[0] >> 7
	for i := range blockSize - 1 {
		block[i] = block[i]<<1 | block[i+1]>>7
	}
	block[15] = block[15]<<1 ^ carry*0x87
}

// Seal encrypts from to to, which is as long and may be the same, and writes
// the tag of 16 bytes.
func (k *SIV) Seal(aads [][]byte, from, to, tag []byte) {
	made := k.s2v(aads, from)
	k.keystream(made, from, to)
	copy(tag, made[:])
}

// Open decrypts from to to, which is as long and may be the same, and
// reports whether the tag is right. If not, to is zeros.
func (k *SIV) Open(aads [][]byte, from, to, tag []byte) bool {
	given := [blockSize]byte(tag)
	k.keystream(given, from, to)
	made := k.s2v(aads, to)
	return verdict(made[:], given[:], to)
}

// s2v is section 2.4.
func (k *SIV) s2v(aads [][]byte, text []byte) [blockSize]byte {
	d := k.cmac(make([]byte, blockSize), nil)
	for _, aad := range aads {
		double(&d)
		sum := k.cmac(aad, nil)
		subtle.XORBytes(d[:], d[:], sum[:])
	}
	if len(text) >= blockSize {
		return k.cmac(text, &d)
	}
	double(&d)
	var padded [blockSize]byte
	padded[copy(padded[:], text)] = 0x80
	subtle.XORBytes(d[:], d[:], padded[:])
	return k.cmac(d[:], nil)
}

// cmac is the CMAC of a string; last is added to its last 16 bytes, if it is
// given.
func (k *SIV) cmac(text []byte, last *[blockSize]byte) [blockSize]byte {
	var state, block [blockSize]byte
	size := len(text)
	for at := 0; at == 0 || at < size; at += blockSize {
		block = [blockSize]byte{}
		taken := copy(block[:], text[at:])
		if last != nil {
			// Byte i of the text is byte i-size+16 of the end.
			for i := range taken {
				if end := at + i - size + blockSize; end >= 0 {
					block[i] ^= last[end]
				}
			}
		}
		if at+blockSize >= size {
			key := &k.k1
			if taken < blockSize {
				block[taken] = 0x80
				key = &k.k2
			}
			subtle.XORBytes(block[:], block[:], key[:])
		}
		subtle.XORBytes(state[:], state[:], block[:])
		k.mac.Encrypt(state[:], state[:])
	}
	return state
}

// keystream encrypts by CTR from the tag without two of its bits (section
// 2.6).
func (k *SIV) keystream(counter [blockSize]byte, from, to []byte) {
	counter[8] &= 0x7f
	counter[12] &= 0x7f
	cipher.NewCTR(k.ctr, counter[:]).XORKeyStream(to, from)
}
