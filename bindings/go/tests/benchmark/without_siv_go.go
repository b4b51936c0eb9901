//go:build !siv_go

package main

func ofSIVGo(bool) []peer { return nil }
