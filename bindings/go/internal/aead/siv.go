package aead

import (
	"fmt"
	"unsafe"

	"sivka.dev/go/internal/buffer"
	"sivka.dev/go/internal/machine"
)

const (
	// SIVTagSize is the length of a tag of AES-SIV in bytes.
	SIVTagSize = 16
	// maxStrings is the most strings of associated data (RFC 5297, section 7).
	maxStrings = 126
)

// SealList is AES-SIV under a list of associated data. It appends tag and
// ciphertext to dst.
func (k *Key) SealList(dst, plaintext []byte, list [][]byte) []byte {
	k.Made().checkList(plaintext, list)
	whole, room := buffer.Append(dst, SIVTagSize+len(plaintext))
	tag, text := room[:SIVTagSize], room[SIVTagSize:]
	buffer.CheckApart(tag, plaintext, nil)
	buffer.Check(text, plaintext, nil)
	for _, data := range list {
		buffer.Check(room, nil, data)
	}
	call := k.listCall(list, plaintext, text, tag)
	status := k.seal(machine.Code.Arguments(unsafe.Pointer(&call)))
	if k.room.IsWiped() {
		machine.WipedMeanwhile(room)
	}
	machine.Must(status)
	return whole
}

// OpenList opens what SealList appended.
func (k *Key) OpenList(dst, ciphertext []byte, list [][]byte) (opened []byte, isAuthentic bool) {
	k.Made().checkList(ciphertext[min(SIVTagSize, len(ciphertext)):], list)
	if len(ciphertext) < SIVTagSize {
		return nil, false
	}
	tag, from := ciphertext[:SIVTagSize], ciphertext[SIVTagSize:]
	whole, text := buffer.Append(dst, len(from))
	buffer.Check(text, from, nil)
	buffer.CheckApart(text, tag, nil)
	for _, data := range list {
		buffer.Check(text, nil, data)
	}
	call := k.listCall(list, from, text, tag)
	status := k.open(machine.Code.Arguments(unsafe.Pointer(&call)))
	if k.room.IsWiped() {
		machine.WipedMeanwhile(text)
	}
	if !machine.Opened(status) {
		return nil, false
	}
	return whole, true
}

func (k *Key) listCall(list [][]byte, from, to, tag []byte) machine.ListCall {
	return machine.ListCall{
		Key: k.room.Place(), AADs: unsafe.SliceData(list), AADCount: len(list),
		From: unsafe.SliceData(from), To: unsafe.SliceData(to), Size: len(from), Tag: &tag[0],
	}
}

// checkList panics for a message that may not be sealed.
func (k *Key) checkList(text []byte, list [][]byte) {
	k.checkSize("message", text)
	if len(list) > maxStrings {
		panic(fmt.Sprintf("sivka: too many strings of additional data for %s: %d, %d are the most", k.Name, len(list), maxStrings))
	}
	for _, data := range list {
		k.checkSize("additional data", data)
	}
}
