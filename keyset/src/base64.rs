//! Base64 as readers and writers of keysets have it. It is written with the standard alphabet and
//! padding, and read in either alphabet, with padding or without. Line breaks and spaces may be
//! anywhere, as programs that wrap lines leave them.

use base64ct::{Base64, Base64Unpadded, Base64UrlUnpadded, Encoding};
use zeroize::Zeroizing;

/// The bytes of a text, whose time does not depend on its digits.
///
/// White space counts as if it was not there.
///
/// `None` for any other character, and for digits of both alphabets in one text. Also for bits
/// that are left over and not zero, and for padding that does not fill up the last four
/// characters.
pub(crate) fn decode(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    // The capacity is reserved at once: a text that grows would leave a copy of a key behind.
    let mut dense = Zeroizing::new(String::with_capacity(text.len()));
    dense.extend(text.split_ascii_whitespace());
    let text = dense.as_str();
    let digits = text.trim_end_matches('=');
    let padding = text.len() - digits.len();
    if padding != 0 && (padding > 2 || !text.len().is_multiple_of(4)) {
        return None;
    }
    let mut bytes = Zeroizing::new(vec![0; digits.len() / 4 * 3 + 3]);
    let standard = Base64Unpadded::decode(digits, &mut bytes).map(<[u8]>::len);
    let len = match standard {
        Ok(len) => len,
        Err(_) => Base64UrlUnpadded::decode(digits, &mut bytes).ok()?.len(),
    };
    bytes.truncate(len);
    Some(bytes)
}

/// Appends bytes. `text` must have the capacity: see [`encoded_len`].
pub(crate) fn encode(bytes: &[u8], text: &mut Zeroizing<String>) {
    debug_assert!(text.len() + encoded_len(bytes) <= text.capacity(), "no room");
    let encoded = Zeroizing::new(Base64::encode_string(bytes));
    text.push_str(&encoded);
}

pub(crate) fn encoded_len(bytes: &[u8]) -> usize {
    bytes.len().div_ceil(3) * 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_alphabet_is_read_with_padding_or_without() {
        for text in ["+/8=", "-_8", " +/8=", "+/8=\r\n", "+\t/8 =", "-\n_\n8"] {
            assert_eq!(decode(text).as_deref(), Some(&vec![0xfb, 0xff]), "{text}");
        }
        assert_eq!(decode("").as_deref(), Some(&Vec::new()));
        // Both alphabets; bits left over; padding of a wrong length; other characters.
        #[rustfmt::skip]
        let others = [
            "+_8=", "+/9=", "+/8==", "AAAA=", "AAA==", "AA=", "A", "A===", "====", "=", "AA=A", "AA.A",
            "AA\u{c4}", "AA\u{a0}AA", "AA\u{b}AA", "AA= A", " =",
        ];
        for text in others {
            assert!(decode(text).is_none(), "{text}");
        }
    }
}
