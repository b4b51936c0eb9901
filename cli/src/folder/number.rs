//! The numbers of a header, in the forms that GNU tar writes.

/// A number: octal digits that fill a field up to one zero, or binary and below 2^63.
pub(super) fn number(field: &[u8]) -> Option<u64> {
    let Some((0x80, bytes)) = field.split_first() else {
        return octal(field);
    };
    // Of a larger one, programs take other parts.
    let (above, value) = bytes.split_at(bytes.len().saturating_sub(8));
    let value = value
        .iter()
        .fold(0, |value, byte| value << 8 | u64::from(*byte));
    let fits = above.iter().all(|byte| *byte == 0) && value <= i64::MAX as u64;
    fits.then_some(value)
}

/// A number of octal digits that fill a field up to one zero.
pub(super) fn octal(field: &[u8]) -> Option<u64> {
    let digits = field.strip_suffix(&[0])?;
    let digit = |byte: &u8| (b'0'..=b'7').contains(byte);
    let text = std::str::from_utf8(digits).ok();
    let text = text.filter(|_| digits.iter().all(digit));
    u64::from_str_radix(text?, 8).ok()
}
