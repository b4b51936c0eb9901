package machine

import (
	"encoding/binary"
	"os"
)

// The kernel's numbers (linux/auxvec.h, asm/hwcap.h).
const (
	auxHWCAP   = 16
	hwcapAES   = 1 << 3
	hwcapPMULL = 1 << 4
	hwcapSHA3  = 1 << 17
)

// askSystem reads HWCAP. Where a sandbox hides it, the CPU has nothing
// beyond its baseline for us, and the tier says so.
func askSystem() (aes, pmull, sha3 bool) {
	vector, err := os.ReadFile("/proc/self/auxv")
	if err != nil {
		return false, false, false
	}
	for ; len(vector) >= 16; vector = vector[16:] {
		if binary.NativeEndian.Uint64(vector) == auxHWCAP {
			hwcap := binary.NativeEndian.Uint64(vector[8:])
			return hwcap&hwcapAES != 0, hwcap&hwcapPMULL != 0, hwcap&hwcapSHA3 != 0
		}
	}
	return false, false, false
}
