package tests

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha3"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// drawing is the stream that docs/spec/accumulated-vectors.md draws from.
type drawing struct{ stream *sha3.SHAKE }

var boundaries = [20]int{1, 8, 12, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129, 256, 257}

func (d drawing) bytes(n int) []byte {
	drawn := make([]byte, n)
	d.stream.Read(drawn)
	return drawn
}

func (d drawing) number(n int) int {
	u := binary.LittleEndian.Uint32(d.bytes(4))
	return int(uint64(u) * uint64(n) >> 32)
}

func (d drawing) length() int {
	switch k := d.number(64); {
	case k == 0:
		return d.number(2001)
	case k <= 7:
		return boundaries[d.number(20)]
	case k <= 11:
		return 0
	default:
		return d.number(81)
	}
}

// runs draws lengths that come several times in a row, with empty ones
// between them if so.
func (d drawing) runs(count int, withEmpty bool) []int {
	var lengths []int
	for run := 0; len(lengths) < count; run++ {
		times := 1 + d.number(65)
		length := 0
		if !withEmpty || run%2 == 1 {
			length = d.length()
		}
		for range min(times, count-len(lengths)) {
			lengths = append(lengths, length)
		}
	}
	return lengths
}

// lengths is section 2 of the page.
func (d drawing) lengths(count int) []int {
	each := func(draw func() int) []int {
		lengths := make([]int, count)
		for i := range lengths {
			lengths[i] = draw()
		}
		return lengths
	}
	same := func(length int) []int { return each(func() int { return length }) }
	switch style := d.number(10); style {
	case 0:
		return same(d.length())
	case 1, 2:
		return d.runs(count, style == 2)
	case 3, 4:
		lengths := each(d.length)
		slices.Sort(lengths)
		if style == 4 {
			slices.Reverse(lengths)
		}
		return lengths
	case 5:
		lengths := same(d.length())
		lengths[d.number(count)] = d.length()
		return lengths
	case 6:
		return same(0)
	case 7:
		return each(func() int { return boundaries[d.number(20)] })
	case 8:
		two := [2]int{d.length(), d.length()}
		return each(func() int { return two[d.number(2)] })
	default:
		return each(d.length)
	}
}

// batch is section 3.
type batch struct {
	key         []byte
	nonces      [][]byte
	aads, texts [][]byte
	oneAAD      bool
}

func (d drawing) batch(a algorithm, nonceSize, left int) batch {
	var b batch
	var count int
	switch k := d.number(8); {
	case k == 0:
		count = 1 + d.number(8)
	case k <= 4:
		count = 1 + d.number(100)
	case k <= 6:
		count = 1 + d.number(400)
	default:
		count = 1 + d.number(2200)
	}
	count = min(count, left)
	b.key = d.bytes(a.keySize)
	b.nonces = d.nonces(count, nonceSize)
	aadLengths := []int(nil)
	if b.oneAAD = d.number(4) == 0; b.oneAAD {
		aadLengths = []int{d.length()}
	} else {
		aadLengths = d.lengths(count)
	}
	textLengths := d.lengths(count)
	if a.name == "Kuznyechik-MGM" {
		forMGM(b.nonces, aadLengths, textLengths)
	}
	for _, length := range aadLengths {
		b.aads = append(b.aads, d.bytes(length))
	}
	for b.oneAAD && len(b.aads) < count {
		b.aads = append(b.aads, b.aads[0])
	}
	for _, length := range textLengths {
		b.texts = append(b.texts, d.bytes(length))
	}
	return b
}

// forMGM changes what MGM does not take: the first bit of a nonce, and
// messages that are empty in every part.
func forMGM(nonces [][]byte, aadLengths, textLengths []int) {
	for _, nonce := range nonces {
		nonce[0] &= 0x7f
	}
	for i := range textLengths {
		if aadLengths[min(i, len(aadLengths)-1)]+textLengths[i] == 0 {
			textLengths[i] = 1
		}
	}
}

func (d drawing) nonces(count, size int) [][]byte {
	var nonces [][]byte
	kind := d.number(4)
	for i := range count {
		switch {
		case i == 0 || kind >= 2:
			nonces = append(nonces, d.bytes(size))
		case kind == 0:
			nonces = append(nonces, bytes.Clone(nonces[0]))
		default:
			next := bytes.Clone(nonces[i-1])
			for at := range next {
				next[at]++
				if next[at] != 0 {
					break
				}
			}
			nonces = append(nonces, next)
		}
	}
	return nonces
}

// hashInputs is section 4.
func hashInputs(hash *sha3.SHAKE, b batch) {
	number := func(n int) { hash.Write(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	number(len(b.texts))
	hash.Write(b.key)
	hash.Write(bytes.Join(b.nonces, nil))
	for _, parts := range [][][]byte{b.aads, b.texts} {
		for _, part := range parts {
			number(len(part))
		}
	}
	hash.Write(bytes.Join(b.aads, nil))
	hash.Write(bytes.Join(b.texts, nil))
}

type accumulatedRow struct {
	Algorithm         string
	Batches, Messages int
	Inputs, Sealed    string
}

func readAccumulated(t *testing.T) map[string][]accumulatedRow {
	t.Helper()
	text, err := os.ReadFile("../../../vectors/accumulated/accumulated.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Rows []accumulatedRow }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	rows := map[string][]accumulatedRow{}
	for _, row := range file.Rows {
		rows[row.Algorithm] = append(rows[row.Algorithm], row)
	}
	return rows
}

func TestAccumulatedVectors(t *testing.T) {
	all := readAccumulated(t)
	onEveryTier(t, func(t *testing.T) {
		for _, a := range algorithms {
			rows := all[a.name]
			if len(rows) != 2 {
				t.Fatalf("%s: %d rows", a.name, len(rows))
			}
			accumulate(t, a, rows)
		}
	})
}

// accumulate seals and opens the messages of an algorithm, and compares the
// hashes of each row when its batches are done.
func accumulate(t *testing.T, a algorithm, rows []accumulatedRow) {
	d := drawing{sha3.NewSHAKE128()}
	d.stream.Write([]byte("Sivka accumulated vectors 1: " + a.name))
	inputs, sealed := sha3.NewSHAKE128(), sha3.NewSHAKE128()
	batches, messages := 0, 0
	for _, row := range rows {
		for batches < row.Batches {
			b := d.batch(a, a.make(t, make([]byte, a.keySize)).NonceSize(), 100_000-messages)
			hashInputs(inputs, b)
			key := a.make(t, b.key)
			compareBatches(t, a, key.(batchAEAD), b, sealAll(t, key, b, sealed))
			batches++
			messages += len(b.texts)
		}
		if messages != row.Messages {
			t.Fatalf("%s: %d messages, %d expected", a.name, messages, row.Messages)
		}
		if got := sum(t, inputs); got != row.Inputs {
			t.Errorf("%s: inputs %s, %s expected", a.name, got, row.Inputs)
		}
		if got := sum(t, sealed); got != row.Sealed {
			t.Errorf("%s: sealed %s, %s expected", a.name, got, row.Sealed)
		}
	}
}

// sealAll seals the messages one by one, hashes and returns what comes out,
// and opens it.
func sealAll(t *testing.T, key cipher.AEAD, b batch, sealed *sha3.SHAKE) [][]byte {
	var all [][]byte
	var place []byte
	for i, text := range b.texts {
		each := key.Seal(nil, b.nonces[i], text, b.aads[i])
		sealed.Write(each)
		all = append(all, each)
		opened, err := key.Open(place[:0], b.nonces[i], each, b.aads[i])
		if err != nil || !bytes.Equal(opened, text) {
			t.Fatalf("message %d of %d bytes does not open: %v", i, len(text), err)
		}
		place = opened
	}
	return all
}

// sum returns the first 32 bytes of a hash that goes on after it.
func sum(t *testing.T, hash *sha3.SHAKE) string {
	t.Helper()
	state, err := hash.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	copied := sha3.NewSHAKE128()
	if err := copied.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	digest := make([]byte, 32)
	copied.Read(digest)
	return hex.EncodeToString(digest)
}
