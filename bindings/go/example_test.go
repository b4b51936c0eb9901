package sivka_test

import (
	"fmt"

	"sivka.dev/go"
)

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

func ExampleAESSIV_SealStrings() {
	key, err := sivka.NewAESSIV([]byte("64 bytes that should be random!! And these are the other 32 bytes"[:64]))
	if err != nil {
		panic(err)
	}
	// A token of a value: the same one every time, for this column.
	token := key.SealStrings(nil, []byte("alice@example.org"), []byte("users"), []byte("email"))
	opened, err := key.OpenStrings(nil, token, []byte("users"), []byte("email"))
	fmt.Printf("%s, %v\n", opened, err)
	// Output: alice@example.org, <nil>
}
