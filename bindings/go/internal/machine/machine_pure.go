//go:build purego || !(amd64 || arm64)

package machine

// names has one: plain Go, which chooses its instructions itself.
var names = [...]string{"go"}

func readFeatures() uint64 { return 1 }
