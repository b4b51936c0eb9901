//go:build !amd64 && !arm64

package machine

// names has one: there is no machine code for this architecture.
var names = [...]string{"go"}

func readFeatures() uint64 { return 1 }
