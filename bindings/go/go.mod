module sivka.dev/go

go 1.24.0

require (
	golang.org/x/crypto v0.41.0
	golang.org/x/text v0.28.0
)

require golang.org/x/sys v0.35.0 // indirect
