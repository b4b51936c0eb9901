//go:build !purego

#include "textflag.h"

// As in stack_amd64.s. A caller keeps its frame pointer in the word below its
// stack pointer, which is that of this function, too.

// func clearStack() (done bool)
TEXT ·clearStack(SB), NOSPLIT|NOFRAME, $0-1
	MOVD 0(g), R0
	MOVD 8(g), R1
	SUB  R0, R1, R1
	SUB  $1, R1, R2
	TST  R1, R2
	BNE  other
	MOVD RSP, R2
	SUB  R0, R2, R2
	CMP  R1, R2
	BHS  other
	MOVD RSP, R1
	SUB  $16, R1, R1
	CMP  R1, R0
	BHI  other
	MOVD ZR, (R1)
	B    test
next:
	STP.P (ZR, ZR), 16(R0)
test:
	CMP  R1, R0
	BLO  next
	MOVD $1, R0
	MOVB R0, done+0(FP)
	RET
other:
	MOVB ZR, done+0(FP)
	RET
