module judge

go 1.24.0

require github.com/tink-crypto/tink-go/v2 v2.6.0

require (
	golang.org/x/crypto v0.41.0 // indirect
	golang.org/x/sys v0.35.0 // indirect
	google.golang.org/protobuf v1.36.8 // indirect
)
