//go:build sivka_c

package main

// #cgo pkg-config: sivka
// #include <sivka.h>
// static sivka_status crypt(const sivka_key *key, int opens, void *nonce, void *input, void *output, size_t len, void *tag) {
//     sivka_message message = {nonce, 12, 0, 0, 0, 0, 0, input, len, output, len, tag, 16};
//     return (opens ? sivka_open : sivka_seal)(key, &message, 0);
// }
import "C"

import (
	"fmt"
	"unsafe"
)

// done panics where a call failed.
func done(status C.sivka_status) {
	if status != C.SIVKA_OK {
		panic(fmt.Sprint("sivka: status ", status))
	}
}

func address(bytes []byte) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(bytes))
}

// ofC measures the C library of the same core, through cgo.
func ofC() []peer {
	var key *C.sivka_key
	done(C.sivka_key_new(C.SIVKA_AES_256_GCM_SIV, address(raw), 32, &key))
	return []peer{{"sivka by cgo", ofGCMSIV, 1, func(size int) (seal, open func()) {
		nonce, text, sealed, tag := make([]byte, 12), make([]byte, size), make([]byte, size), make([]byte, 16)
		length := C.size_t(size)
		seal = func() { done(C.crypt(key, 0, address(nonce), address(text), address(sealed), length, address(tag))) }
		open = func() { done(C.crypt(key, 1, address(nonce), address(sealed), address(text), length, address(tag))) }
		seal()
		agree(ofGCMSIV, size, append(sealed[:size:size], tag...))
		return seal, open
	}}}
}
