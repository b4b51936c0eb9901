module sivka.dev/go/leaks

go 1.24.0

require sivka.dev/go v0.0.0

require (
	golang.org/x/crypto v0.41.0 // indirect
	golang.org/x/sys v0.35.0 // indirect
)

replace sivka.dev/go => ../../../../bindings/go
