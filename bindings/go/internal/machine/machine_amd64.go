package machine

// Names of the tiers, as every package of Sivka has them.
var names = [...]string{"portable", "avx2", "vaes256", "avx512"}

func readFeatures() uint64 { return Code.CPU()[0].Run(nil) }
