package file

// Hexadecimal digits of keys, without a branch or an address that depends on
// them: encoding/hex has a table.

// appendDigits appends the lower-case digits of bytes to text.
func appendDigits(text, bytes []byte) []byte {
	for _, b := range bytes {
		text = append(text, digit(int32(b>>4)), digit(int32(b&15)))
	}
	return text
}

// digit adds the distance from '9'+1 to 'a' for values of 10 and more.
func digit(value int32) byte {
	return byte('0' + value + (9-value)>>31&('a'-'0'-10))
}

// parseDigits writes what lower-case digits are to out, and reports whether
// there are exactly so many and nothing else.
func parseDigits(out, digits []byte) bool {
	if len(digits) != 2*len(out) {
		return false
	}
	valid := int32(-1)
	for i := range out {
		high, isHigh := valueOf(digits[2*i])
		low, isLow := valueOf(digits[2*i+1])
		out[i] = byte(high<<4 | low)
		valid &= isHigh & isLow
	}
	return valid == -1
}

// valueOf returns the value of a digit and -1, or what it is not and 0.
func valueOf(digit byte) (value, is int32) {
	decimal, letter := int32(digit)-'0', int32(digit)-'a'
	isDecimal := ^((decimal | (9 - decimal)) >> 31)
	isLetter := ^((letter | (5 - letter)) >> 31)
	return decimal&isDecimal | (letter+10)&isLetter, isDecimal | isLetter
}
