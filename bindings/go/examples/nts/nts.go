// Package nts is an example: the AEADs of Network Time Security (RFC 8915),
// and the cookies by which a server keeps no state of its clients.
//
// The AEADs are AEAD_AES_SIV_CMAC_256, which every implementation has, and
// AEAD_AES_128_GCM_SIV, which makes shorter packets. Copy what you need.
package nts

import (
	"crypto/rand"
	"encoding/binary"
	"errors"

	"sivka.dev/go"
)

// Algorithm is an AEAD by its number in IANA's registry, as NTS negotiates it.
type Algorithm uint16

// The AEADs that NTS servers and clients have.
const (
	AESSIVCMAC256 Algorithm = 15
	AES128GCMSIV  Algorithm = 30
)

// ErrCookie says that a cookie is not of this server, or too old. The client
// has to ask for new ones.
var ErrCookie = errors.New("nts: the cookie does not open")

var errAlgorithm = errors.New("nts: an AEAD that is not known")

// Key is a key of an AEAD. NTS gives both AEADs a nonce, a string of
// associated data and a plaintext (section 5.6).
type Key interface {
	NonceSize() int
	Seal(dst, nonce, plaintext, additionalData []byte) []byte
	Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error)
}

// NewKey makes a key, of 32 bytes for AESSIVCMAC256 and of 16 for
// AES128GCMSIV.
func NewKey(algorithm Algorithm, secret []byte) (Key, error) {
	switch {
	case algorithm == AES128GCMSIV:
		return sivka.NewAES128GCMSIV(secret)
	case algorithm != AESSIVCMAC256:
		return nil, errAlgorithm
	case len(secret) != 32:
		return nil, sivka.KeySizeError(len(secret))
	}
	key, err := sivka.NewAESSIV(secret)
	return nonceLast{key}, err
}

// nonceLast is AES-SIV with a nonce, which is the last string of associated
// data (RFC 5297, section 3). Nonces may have any length; this one is what
// chrony and others draw.
type nonceLast struct {
	siv *sivka.AESSIV
}

func (nonceLast) NonceSize() int { return 16 }

func (k nonceLast) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	return k.siv.SealStrings(dst, plaintext, additionalData, nonce)
}

func (k nonceLast) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	return k.siv.OpenStrings(dst, ciphertext, additionalData, nonce)
}

// Association is what a server must know of a client: the keys that both
// exported from their TLS connection (section 5.1).
type Association struct {
	Algorithm Algorithm
	// C2S seals what the client sends, S2C what the server sends. They have one
	// length.
	C2S, S2C []byte
}

// Cookies makes and opens cookies as section 6 proposes: the number of a key
// of the server, a nonce, and the association under that key. Clients cannot
// read them. Any number of goroutines may use it while nobody rotates it.
type Cookies struct {
	number uint32
	// newest seals. previous opens too, so that a rotation breaks no client.
	newest, previous Key
}

// NewCookies draws a key.
func NewCookies() (*Cookies, error) {
	c := new(Cookies)
	return c, c.Rotate()
}

// Rotate draws a new key, and forgets the one before the previous one. Call it
// once a day, and the keys that were lost to somebody open no older cookies.
func (c *Cookies) Rotate() error {
	secret := make([]byte, 16)
	defer clear(secret)
	_, _ = rand.Read(secret)
	key, err := NewKey(AES128GCMSIV, secret)
	if err != nil {
		return err
	}
	c.number++
	c.newest, c.previous = key, c.newest
	return nil
}

// Seal makes a cookie. No two are equal, so that nobody can follow a client
// by its cookies.
func (c *Cookies) Seal(association Association) []byte {
	text := binary.BigEndian.AppendUint16(nil, uint16(association.Algorithm))
	text = append(append(text, association.S2C...), association.C2S...)
	defer clear(text)
	nonce := make([]byte, c.newest.NonceSize())
	_, _ = rand.Read(nonce)
	cookie := append(binary.BigEndian.AppendUint32(nil, c.number), nonce...)
	return c.newest.Seal(cookie, nonce, text, nil)
}

// Open returns the association of a cookie. The only error is [ErrCookie].
func (c *Cookies) Open(cookie []byte) (Association, error) {
	if len(cookie) < 4 {
		return Association{}, ErrCookie
	}
	var key Key
	switch binary.BigEndian.Uint32(cookie) {
	case c.number:
		key = c.newest
	case c.number - 1:
		key = c.previous
	}
	if key == nil || len(cookie) < 4+key.NonceSize() {
		return Association{}, ErrCookie
	}
	nonce, sealed := cookie[4:][:key.NonceSize()], cookie[4+key.NonceSize():]
	text, err := key.Open(nil, nonce, sealed, nil)
	if err != nil || len(text) < 2 {
		return Association{}, ErrCookie
	}
	keys := text[2:]
	return Association{Algorithm(binary.BigEndian.Uint16(text)), keys[len(keys)/2:], keys[:len(keys)/2]}, nil
}
