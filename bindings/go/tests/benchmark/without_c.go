//go:build !sivka_c

package main

// ofC is nothing in builds without the C library.
func ofC() []peer { return nil }
