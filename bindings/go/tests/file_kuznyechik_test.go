//go:build (amd64 || arm64) && !purego

package tests

import (
	"sivka.dev/go/file/kuznyechikmgm"
)

func init() { fileSuites = append(fileSuites, kuznyechikmgm.Suite) }
