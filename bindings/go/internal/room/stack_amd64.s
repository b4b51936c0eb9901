//go:build !purego

#include "textflag.h"

// A goroutine's g begins with the lowest address of its stack and the one
// above its highest. They are a power of two apart. Signals have a stack of
// their own, and nothing moves this one meanwhile: code of the assembler is
// not preempted.

// func clearStack() (done bool)
TEXT ·clearStack(SB), NOSPLIT, $0-1
	MOVQ (TLS), AX
	MOVQ 0(AX), DI
	MOVQ 8(AX), DX
	SUBQ DI, DX
	LEAQ -1(DX), BX
	TESTQ DX, BX
	JNE other
	MOVQ SP, CX
	SUBQ DI, CX
	CMPQ CX, DX
	JAE other
	SHRQ $3, CX
	XORL AX, AX
	REP; STOSQ
	MOVB $1, done+0(FP)
	RET
other:
	MOVB $0, done+0(FP)
	RET
