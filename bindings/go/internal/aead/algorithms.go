package aead

import (
	"sivka.dev/go/internal/machine"
	"sivka.dev/go/internal/pure"
)

const (
	maxAES      = 1 << 36
	maxChaCha20 = 1<<31 - 1
	roomGCMSIV  = 1088
	roomSIV     = 2112
	roomChaCha  = 448
	roomBlocks  = 2944
	maxMGM      = 1<<61 - 1
)

// The algorithms: AES-GCM-SIV (RFC 8452), AES-SIV (RFC 5297), the
// ChaCha20-BLAKE2b family, and Kuznyechik with MGM (RFC 9058).
var (
	AES128GCMSIV = Algorithm{
		Name: "AES-128-GCM-SIV", KeySize: 16, NonceSize: 12, MaxSize: maxAES, Room: roomGCMSIV, FewAreFaster: true,
		Entries: func() *machine.Entries { return machine.Code.GCMSIV128() },
		Plain:   gcmSIVInGo,
	}
	AES256GCMSIV = Algorithm{
		Name: "AES-256-GCM-SIV", KeySize: 32, NonceSize: 12, MaxSize: maxAES, Room: roomGCMSIV, FewAreFaster: true,
		Entries: func() *machine.Entries { return machine.Code.GCMSIV256() },
		Plain:   gcmSIVInGo,
	}
	AESSIV256 = Algorithm{
		Name: "AES-SIV-256", KeySize: 32, MaxSize: maxAES, Room: roomSIV, HasLists: true,
		Entries: func() *machine.Entries { return machine.Code.AESSIV256() },
		Plain:   sivInGo,
	}
	AESSIV384 = Algorithm{
		Name: "AES-SIV-384", KeySize: 48, MaxSize: maxAES, Room: roomSIV, HasLists: true,
		Entries: func() *machine.Entries { return machine.Code.AESSIV384() },
		Plain:   sivInGo,
	}
	AESSIV512 = Algorithm{
		Name: "AES-SIV-512", KeySize: 64, MaxSize: maxAES, Room: roomSIV, HasLists: true,
		Entries: func() *machine.Entries { return machine.Code.AESSIV512() },
		Plain:   sivInGo,
	}
	ChaCha20BLAKE2b = Algorithm{
		Name: "ChaCha20-BLAKE2b", KeySize: 32, NonceSize: 8, MaxSize: maxChaCha20, Room: roomChaCha,
		Entries: func() *machine.Entries { return machine.Code.ChaCha20BLAKE2b() },
		Plain:   func() *pure.Algorithm { return chaCha20InGo(8) },
	}
	XChaCha20BLAKE2b = Algorithm{
		Name: "XChaCha20-BLAKE2b", KeySize: 32, NonceSize: 24, MaxSize: maxChaCha20, Room: roomChaCha,
		Entries: func() *machine.Entries { return machine.Code.XChaCha20BLAKE2b() },
		Plain:   func() *pure.Algorithm { return chaCha20InGo(24) },
	}
	XChaCha20BLAKE2bSIV = Algorithm{
		Name: "XChaCha20-BLAKE2b-SIV", KeySize: 32, MaxSize: maxChaCha20, Room: roomChaCha,
		Entries: func() *machine.Entries { return machine.Code.XChaCha20BLAKE2bSIV() },
		Plain:   func() *pure.Algorithm { return chaCha20InGo(0) },
	}
	// Kuznyechik is a block cipher, and has no plain Go.
	Kuznyechik = Algorithm{
		Name: "Kuznyechik", KeySize: 32, Room: roomBlocks,
		Entries: func() *machine.Entries { return machine.Code.Kuznyechik() },
	}
	KuznyechikMGM = Algorithm{
		Name: "Kuznyechik-MGM", KeySize: 32, NonceSize: 16, MaxSize: maxMGM, Room: roomBlocks,
		Entries: func() *machine.Entries { return machine.Code.KuznyechikMGM() },
	}
)

// These link plain Go into programs without machine code only.

func gcmSIVInGo() *pure.Algorithm {
	if machine.HasCode() {
		return nil
	}
	return pure.GCMSIVs()
}

func sivInGo() *pure.Algorithm {
	if machine.HasCode() {
		return nil
	}
	return &pure.SIVs
}

func chaCha20InGo(nonceSize int) *pure.Algorithm {
	if machine.HasCode() {
		return nil
	}
	return pure.ChaCha20BLAKE2bs(nonceSize)
}
