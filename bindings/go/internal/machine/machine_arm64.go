package machine

// Names of the tiers, as every package of Sivka has them.
var names = [...]string{"portable", "neon"}

// Bits of the result of readFeatures.
const (
	bitPortable = 1 << 0
	bitNeon     = 1 << 1
	bitSHA3     = 1 << 7
)

// readFeatures asks the operating system for the CPU's features, because
// programs may not ask the CPU. The tier Neon is AES and PMULL; the
// instructions for SHA-3 are used beside it.
func readFeatures() uint64 {
	aes, pmull, sha3 := askSystem()
	features := uint64(bitPortable)
	if aes && pmull {
		features |= bitNeon
		if sha3 {
			features |= bitSHA3
		}
	}
	return features
}
