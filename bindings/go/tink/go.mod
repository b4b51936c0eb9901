module sivka.dev/go/tink

go 1.24.0

require (
	github.com/tink-crypto/tink-go/v2 v2.6.0
	google.golang.org/protobuf v1.36.8
	sivka.dev/go v0.1.0
)

require (
	golang.org/x/crypto v0.41.0 // indirect
	golang.org/x/sys v0.35.0 // indirect
)

replace sivka.dev/go => ../
