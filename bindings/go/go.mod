module sivka.dev/go

go 1.24
