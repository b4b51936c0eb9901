package pure

import (
	"encoding/binary"
	"math/bits"
)

// polyval is POLYVAL under a key (RFC 8452, section 3): elements of GF(2^128)
// as two words, the lower first.
type polyval struct {
	key, state [2]uint64
}

func newPolyval(key []byte) polyval {
	return polyval{key: element(key)}
}

func element(block []byte) [2]uint64 {
	return [2]uint64{binary.LittleEndian.Uint64(block), binary.LittleEndian.Uint64(block[8:])}
}

// absorb goes on with a string, padded with zeros to whole blocks.
func (p *polyval) absorb(bytes []byte) {
	for len(bytes) > 0 {
		var block [blockSize]byte
		taken := copy(block[:], bytes)
		bytes = bytes[taken:]
		x := element(block[:])
		p.state = dot([2]uint64{p.state[0] ^ x[0], p.state[1] ^ x[1]}, p.key)
	}
}

func (p *polyval) sum(block *[blockSize]byte) {
	binary.LittleEndian.PutUint64(block[:], p.state[0])
	binary.LittleEndian.PutUint64(block[8:], p.state[1])
}

// dot is a·b·x^-128, modulo x^128 + x^127 + x^126 + x^121 + 1.
func dot(a, b [2]uint64) [2]uint64 {
	low0, high0 := multiply(a[0], b[0])
	low1, high1 := multiply(a[1], b[1])
	// Karatsuba.
	low2, high2 := multiply(a[0]^a[1], b[0]^b[1])
	low2, high2 = low2^low0^low1, high2^high0^high1
	product := [4]uint64{low0, high0 ^ low2, low1 ^ high2, high1}
	// Twice, the lowest word becomes zero by a multiple of the polynomial.
	for i := range 2 {
		v := product[i]
		product[i+1] ^= v<<63 ^ v<<62 ^ v<<57
		product[i+2] ^= v ^ v>>1 ^ v>>2 ^ v>>7
	}
	return [2]uint64{product[2], product[3]}
}

// multiply is the product of two polynomials over GF(2), in constant time.
func multiply(a, b uint64) (low, high uint64) {
	low = multiplyLow(a, b)
	// Of the reversed factors, the lower half is the higher one reversed.
	high = bits.Reverse64(multiplyLow(bits.Reverse64(a), bits.Reverse64(b))) >> 1
	return low, high
}

// multiplyLow is the lower word of that product. Each factor is split into
// four with a bit in every fourth place: 16 of them at most are added in a
// place, and the carries stay in the three places above, which are masked.
func multiplyLow(a, b uint64) uint64 {
	const mask = 0x1111_1111_1111_1111
	var product uint64
	for place := range 4 {
		var sum uint64
		for i := range 4 {
			j := (place - i) & 3
			sum ^= (a & (mask << i)) * (b & (mask << j))
		}
		product |= sum & (mask << place)
	}
	return product
}
