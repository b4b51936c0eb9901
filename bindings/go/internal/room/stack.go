//go:build (amd64 || arm64) && !purego

package room

// clearStack overwrites the goroutine's stack below its own frame with zeros,
// to its end, and so the frames of every call that has returned. It does
// nothing and returns false if the runtime does not say where a stack ends as
// it does since Go 1.4.
func clearStack() (done bool)
