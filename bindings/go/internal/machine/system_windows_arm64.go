package machine

import "syscall"

// Of winnt.h: AES, PMULL and SHA-2 together.
const armV8Crypto = 30

// askSystem asks Windows, which does not know the instructions for SHA-3.
func askSystem() (aes, pmull, sha3 bool) {
	ask := syscall.NewLazyDLL("kernel32.dll").NewProc("IsProcessorFeaturePresent")
	has, _, _ := ask.Call(armV8Crypto)
	return has != 0, has != 0, false
}
