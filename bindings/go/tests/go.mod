module sivka.dev/go/tests

go 1.24.0

require (
	github.com/c2sp/wycheproof v0.0.0-20260105152342-fca0d3ba9f12
	github.com/tink-crypto/tink-go/v2 v2.6.0
	golang.org/x/crypto v0.41.0
	sivka.dev/go v0.0.0
)

require (
	golang.org/x/sys v0.35.0 // indirect
	google.golang.org/protobuf v1.36.8 // indirect
)

replace sivka.dev/go => ../
