package sivka_test

import (
	"fmt"

	"sivka.dev/go"
)

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
