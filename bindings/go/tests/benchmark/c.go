//go:build sivka_c

package main

// #cgo pkg-config: sivka
// #include <sivka.h>
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
		seal = func() {
			done(C.sivka_seal_detached(key, address(nonce), 12, nil, 0, address(text), length, address(sealed), length, address(tag), 16))
		}
		open = func() {
			done(C.sivka_open_detached(key, address(nonce), 12, nil, 0, address(sealed), length, address(tag), 16, address(text), length))
		}
		seal()
		agree(ofGCMSIV, size, append(sealed[:size:size], tag...))
		return seal, open
	}}}
}
