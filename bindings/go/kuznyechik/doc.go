// Package kuznyechik is the Kuznyechik block cipher (GOST R 34.12-2015, RFC
// 7801) and MGM (RFC 9058), an AEAD over it.
//
// It is for protocols that ask for these algorithms. Take package sivka for
// one of your own.
//
// The package is constant time. It needs the machine code, which is for amd64
// and arm64: without it, and in builds with the tag purego, keys are
// [ErrNoCode].
package kuznyechik
