//! Bech32 (BIP 173), as age writes its keys: without a limit on the length.
//!
//! The crates for it look digits up in tables, by the digits of a secret key. Here the time
//! depends on the length of a text alone, and on whether it is well formed.

use crate::error::AgeKeyError;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

const DIGITS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const CHECKSUM_LEN: usize = 6;

/// Writes `data` after the prefix `name`, which is in lower case, and so is the text.
pub(crate) fn encode(name: &str, data: &[u8]) -> Zeroizing<String> {
    // At once, here and below: what grows leaves copies of a secret behind.
    let digit_count = (data.len() * 8).div_ceil(5) + CHECKSUM_LEN;
    let mut values = Zeroizing::new(Vec::with_capacity(digit_count));
    let (rest, bits) = regroup(data, 8, 5, &mut values);
    if bits > 0 {
        values.push(rest << (5 - bits));
    }
    add_checksum(name, &mut values);
    let mut text = Zeroizing::new(String::with_capacity(name.len() + 1 + digit_count));
    text.push_str(name);
    text.push('1');
    text.extend(values.iter().map(|&value| char::from(digit_of(value))));
    text
}

/// Reads the bytes after the prefix `name`, which is in lower case. The text is in lower or
/// in upper case.
pub(crate) fn decode(name: &str, text: &str) -> Result<Zeroizing<Vec<u8>>, AgeKeyError> {
    let (prefix, digits) = text
        .as_bytes()
        .split_at_checked(name.len() + 1)
        .filter(|(_, digits)| digits.len() >= CHECKSUM_LEN)
        .ok_or(AgeKeyError::MALFORMED)?;
    let is_upper = prefix[0].is_ascii_uppercase();
    let in_case = |byte: u8| match is_upper {
        true => byte.to_ascii_uppercase(),
        false => byte,
    };
    let expected = name.bytes().chain([b'1']).map(in_case);
    let mut is_well_formed = Choice::from(u8::from(expected.eq(prefix.iter().copied())));
    let mut values = Zeroizing::new(vec![0; digits.len()]);
    for (&digit, value) in digits.iter().zip(values.iter_mut()) {
        let mut is_digit = Choice::from(0);
        for (number, &expected) in (0..).zip(DIGITS) {
            let is_this = digit.ct_eq(&in_case(expected));
            value.conditional_assign(&number, is_this);
            is_digit |= is_this;
        }
        is_well_formed &= is_digit;
    }
    if !bool::from(is_well_formed) {
        return Err(AgeKeyError::MALFORMED);
    }
    if !bool::from(checksum(name, &values).ct_eq(&1)) {
        return Err(AgeKeyError::new(
            "the key's checksum does not match: it was copied wrongly or damaged",
        ));
    }
    values.truncate(digits.len() - CHECKSUM_LEN);
    let mut data = Zeroizing::new(Vec::with_capacity(values.len() * 5 / 8));
    let (rest, bits) = regroup(&values, 5, 8, &mut data);
    // What is left of the last digit is less than a digit, and zero.
    match bits < 5 && bool::from(rest.ct_eq(&0)) {
        true => Ok(data),
        false => Err(AgeKeyError::MALFORMED),
    }
}

/// Turns groups of `from` bits into whole groups of `to` bits. Gives the bits that are left, and
/// how many these are.
fn regroup(values: &[u8], from: u32, to: u32, out: &mut Vec<u8>) -> (u8, u32) {
    let (mut buffer, mut bits) = (0_u32, 0);
    for &value in values {
        buffer = (buffer << from | u32::from(value)) & 0xffff;
        bits += from;
        while bits >= to {
            bits -= to;
            out.push((buffer >> bits & ((1 << to) - 1)) as u8);
        }
    }
    ((buffer & ((1 << bits) - 1)) as u8, bits)
}

fn digit_of(value: u8) -> u8 {
    let mut digit = 0;
    for (expected, candidate) in (0_u8..).zip(DIGITS) {
        digit.conditional_assign(candidate, value.ct_eq(&expected));
    }
    digit
}

/// The checksum of BIP 173: 1 over a whole text.
fn checksum(name: &str, values: &[u8]) -> u32 {
    const GENERATOR: [u32; 5] = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
    let high = name.bytes().map(|byte| byte >> 5).chain([0]);
    let before = high.chain(name.bytes().map(|byte| byte & 31));
    before.chain(values.iter().copied()).fold(1, |sum, value| {
        let shifted = (sum & 0x01ff_ffff) << 5 ^ u32::from(value);
        let bit = |at: usize| (sum >> (25 + at) & 1).wrapping_neg();
        (0..5).fold(shifted, |sum, at| sum ^ (GENERATOR[at] & bit(at)))
    })
}

fn add_checksum(name: &str, values: &mut Vec<u8>) {
    values.extend([0; CHECKSUM_LEN]);
    let sum = checksum(name, values) ^ 1;
    for (digit, value) in values.iter_mut().rev().take(CHECKSUM_LEN).enumerate() {
        *value = (sum >> (5 * digit)) as u8 & 31;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_the_crate() {
        for name in ["age", "age1pq", "age-secret-key-"] {
            let hrp = bech32::Hrp::parse(name).unwrap();
            for len in 0..70 {
                let data: Vec<u8> = (0..len).map(|i| (i * 37 + len) as u8).collect();
                let ours = encode(name, &data);
                assert_eq!(*ours, bech32::encode::<bech32::Bech32>(hrp, &data).unwrap());
                assert_eq!(*decode(name, &ours).unwrap(), data);
                assert_eq!(*decode(name, &ours.to_uppercase()).unwrap(), data);
            }
        }
    }

    /// A text with a checksum that is right, and bits left over that are not zero or too many.
    #[test]
    fn a_value_has_one_text() {
        for values in [&[1_u8][..], &[0], &[0, 1], &[0, 0, 0], &[0, 0, 0, 0, 1]] {
            let mut all = values.to_vec();
            add_checksum("age", &mut all);
            let digits: String = all.iter().map(|&value| char::from(digit_of(value))).collect();
            let read = decode("age", &format!("age1{digits}"));
            assert_eq!(read, Err(AgeKeyError::MALFORMED), "{values:?}");
        }
    }
}
