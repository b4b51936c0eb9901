// Matrix answers one line on standard output for each on standard input, for
// the test that seals in each language and opens in each other, and plays
// every vector: ffi/tests/matrix.rs, which says what the lines are. It asks
// every tier of this CPU.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"sivka.dev/go"
	"sivka.dev/go/internal/keys"
	"sivka.dev/go/internal/machine"
)

// must returns what could be made; the program ends where the test asks for
// what there is not.
func must[T any](made T, err error) T {
	if err != nil {
		panic(err)
	}
	return made
}

func unhex(word string) []byte {
	if word == "-" {
		return nil
	}
	return must(hex.DecodeString(word))
}

func toHex(bytes []byte) string {
	if len(bytes) == 0 {
		return "-"
	}
	return hex.EncodeToString(bytes)
}

// ofOne says what a line about one message or about blocks asks for, or how
// that is refused.
func ofOne(command string, words []string) (answer string) {
	defer func() {
		switch refused := recover().(type) {
		case nil:
		case error:
			answer = fmt.Sprintf("%T: %v", refused, refused)
		default:
			answer = fmt.Sprint("panic: ", refused)
		}
	}()
	switch command {
	case "seal":
		return seal(words[0], newKey(words[1], unhex(words[2])), unhex(words[3]), unhex(words[4]), unhex(words[5]))
	case "open":
		return open(words[0], newKey(words[1], unhex(words[2])), unhex(words[3]), unhex(words[4]), unhex(words[5]))
	case "seal-strings":
		key := must(sivka.NewAESSIV(unhex(words[0])))
		return toHex(key.SealStrings(nil, unhex(words[1]), unhexAll(words[2:])...))
	case "encrypt-blocks", "decrypt-blocks":
		block, text := must(sivka.NewKuznyechik(unhex(words[0]))), unhex(words[2])
		run := block.EncryptBlocks
		if command == "decrypt-blocks" {
			run = block.DecryptBlocks
		}
		for range must(strconv.Atoi(words[1])) {
			run(text, text)
		}
		return toHex(text)
	case "open-strings":
		key := must(sivka.NewAESSIV(unhex(words[0])))
		return opened(key.OpenStrings(nil, unhex(words[1]), unhexAll(words[2:])...))
	}
	panic("unknown command " + command)
}

func unhexAll(words []string) [][]byte {
	var all [][]byte
	for _, word := range words {
		all = append(all, unhex(word))
	}
	return all
}

// opened is the answer for a message that may not have opened.
func opened(text []byte, err error) string {
	if errors.Is(err, sivka.ErrOpen) {
		return "forged"
	}
	return toHex(must(text, err))
}

// newKey makes a key of an algorithm by its name in the C interface.
func newKey(name string, secret []byte) keys.Key { return must(keys.Find(name).New(secret)) }

// drawing is a key that draws its nonces.
type drawing interface {
	SealRandom(dst, plaintext, additionalData []byte) []byte
	OpenRandom(dst, sealed, additionalData []byte) ([]byte, error)
}

func seal(form string, key keys.Key, nonce, aad, text []byte) string {
	switch form {
	case "drawn":
		if drawing, ok := key.(drawing); ok {
			return toHex(drawing.SealRandom(nil, text, aad))
		}
		return toHex(key.Seal(nil, nil, text, aad))
	case "joined":
		return toHex(key.Seal(nil, nonce, text, aad))
	case "into":
		room := bytes.Repeat([]byte{0xaa}, len(text)+key.Overhead())
		return toHex(key.Seal(room[:0], nonce, text, aad))
	case "into-in-place":
		room := make([]byte, len(text)+key.Overhead())
		place := room[textStart(key):][:len(text)]
		copy(place, text)
		return toHex(key.Seal(room[:0], nonce, place, aad))
	}
	panic("unknown form " + form)
}

// textStart is where the text begins in what is sealed: AES-SIV has its tag
// in front.
func textStart(key keys.Key) int {
	if _, ok := key.(*sivka.AESSIV); ok {
		return key.Overhead()
	}
	return 0
}

func open(form string, key keys.Key, nonce, aad, sealed []byte) string {
	size := max(0, len(sealed)-key.Overhead())
	room := bytes.Repeat([]byte{0xaa}, size)
	var err error
	switch form {
	case "drawn":
		if drawing, ok := key.(drawing); ok {
			return opened(drawing.OpenRandom(nil, sealed, aad))
		}
		return opened(key.Open(nil, nil, sealed, aad))
	case "joined":
		return opened(key.Open(nil, nonce, sealed, aad))
	case "into":
		_, err = key.Open(room[:0], nonce, sealed, aad)
	case "into-in-place":
		start := textStart(key)
		room = sealed[start:][:size]
		_, err = key.Open(room[:0], nonce, sealed, aad)
	default:
		panic("unknown form " + form)
	}
	if errors.Is(err, sivka.ErrOpen) {
		return "forged " + toHex(room)
	}
	return toHex(must(room, err))
}

// many seals or opens a copy of many messages in place.
func many(command, name string, given [][]byte) string {
	var parts [][]byte
	for _, part := range given {
		parts = append(parts, bytes.Clone(part))
	}
	key := newKey(name, parts[0])
	aadOffsets, text, offsets := numbers(parts[3]), parts[4], numbers(parts[5])
	batch := &sivka.Batch{Nonces: parts[1], AAD: parts[2], Tags: parts[6]}
	verb, form, _ := strings.Cut(command, "-")
	if form == "list" {
		batch.Texts = split(text, offsets)
		if len(aadOffsets) > 0 {
			batch.AAD, batch.AADs = nil, split(parts[2], aadOffsets)
		}
	} else {
		batch.Text, batch.Offsets, batch.AADOffsets = text, offsets, aadOffsets
	}
	count := len(offsets) - 1
	if verb == "seal" {
		batch.Tags = make([]byte, count*key.Overhead())
		key.SealBatch(batch)
		return answerOf(text, batch.Tags)
	}
	flags := bytes.Repeat([]byte{1}, count)
	var failure *sivka.BatchError
	if err := key.OpenBatch(batch); errors.As(err, &failure) {
		for _, i := range failure.Failed {
			flags[i] = 0
		}
	} else if err != nil {
		panic(err)
	}
	return answerOf(text, flags)
}

// answerOf is a line with the lengths of two parts, and the parts.
func answerOf(text, other []byte) string {
	return fmt.Sprintf("%d %d\n%s%s", len(text), len(other), text, other)
}

func numbers(part []byte) []int {
	var all []int
	for ; len(part) > 0; part = part[8:] {
		all = append(all, int(binary.LittleEndian.Uint64(part)))
	}
	return all
}

func split(buffer []byte, offsets []int) [][]byte {
	var parts [][]byte
	for i := 1; i < len(offsets); i++ {
		parts = append(parts, buffer[offsets[i-1]:offsets[i]])
	}
	return parts
}

// onEveryTier asks on every tier of this CPU, and returns the answer of the
// widest. All answers are the same, but those of nonces that are drawn.
func onEveryTier(isDrawn bool, ask func() string) (answer string) {
	for i, tier := range machine.Available() {
		machine.Choose(tier)
		before := answer
		if answer = ask(); i > 0 && answer != before && !isDrawn {
			panic("another answer on the tier " + tier.String())
		}
	}
	return answer
}

// readParts reads the parts after a line, which has their lengths.
func readParts(source io.Reader, lengths []string) [][]byte {
	var parts [][]byte
	for _, length := range lengths {
		part := make([]byte, must(strconv.Atoi(length)))
		must(io.ReadFull(source, part))
		parts = append(parts, part)
	}
	return parts
}

func main() {
	source := bufio.NewReader(os.Stdin)
	for {
		line, err := source.ReadString('\n')
		if err == io.EOF {
			return
		}
		words := strings.Fields(must(line, err))
		command := words[0]
		answer, isDone := ofFiles(command, words[1:])
		if strings.HasSuffix(command, "-list") || strings.HasSuffix(command, "-contiguous") {
			parts := readParts(source, words[4:])
			answer = onEveryTier(false, func() string { return many(command, words[1], parts) })
		} else if !isDone {
			answer = onEveryTier(command == "seal" && words[1] == "drawn", func() string { return ofOne(command, words[1:]) })
		}
		must(fmt.Println(answer))
	}
}
