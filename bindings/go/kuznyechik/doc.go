// Package kuznyechik is the Kuznyechik block cipher (GOST R 34.12-2015, RFC
// 7801) and its modes: MGM (RFC 9058), an AEAD; CTR and OMAC (GOST R
// 34.13-2015); CTR-ACPKM (RFC 8645).
//
// It is for protocols that ask for these algorithms. Take package sivka for
// one of your own.
//
// The package is constant time. It exists for amd64 and arm64, and not in
// builds with the tag purego.
package kuznyechik
