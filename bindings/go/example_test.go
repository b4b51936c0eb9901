package sivka_test

import (
	"crypto/rand"
	"errors"
	"fmt"

	"sivka.dev/go"
)

func ExampleAES256GCMSIV_SealRandom() {
	secret := make([]byte, 32)
	rand.Read(secret)
	key, err := sivka.NewAES256GCMSIV(secret)
	if err != nil {
		panic(err)
	}
	sealed := key.SealRandom(nil, []byte("meet at noon"), []byte("to: alice"))
	opened, err := key.OpenRandom(nil, sealed, []byte("to: alice"))
	fmt.Printf("%s, %v\n", opened, err)
	_, err = key.OpenRandom(nil, sealed, []byte("to: mallory"))
	fmt.Println(errors.Is(err, sivka.ErrOpen))
	// Output:
	// meet at noon, <nil>
	// true
}

func ExampleNewAES256GCMSIV() {
	// Where a program has a cipher.AEAD, nothing else changes.
	aead, err := sivka.NewAES256GCMSIV([]byte("32 bytes that should be random!!"))
	if err != nil {
		panic(err)
	}
	nonce := []byte("twelve bytes")
	buffer := append(make([]byte, 0, 64), "sealed in place"...)
	buffer = aead.Seal(buffer[:0], nonce, buffer, nil)
	buffer, err = aead.Open(buffer[:0], nonce, buffer, nil)
	fmt.Printf("%s, %v\n", buffer, err)
	// Output: sealed in place, <nil>
}
