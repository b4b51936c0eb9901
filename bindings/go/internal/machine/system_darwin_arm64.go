package machine

import "syscall"

// askSystem knows that every such CPU of Apple's has AES and PMULL, and asks
// for the instructions for SHA-3, which the first ones lack.
func askSystem() (aes, pmull, sha3 bool) {
	has, err := syscall.SysctlUint32("hw.optional.armv8_2_sha3")
	return true, true, err == nil && has == 1
}
