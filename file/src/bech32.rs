//! Bech32 (BIP 173), as age writes its keys: without a limit on the length.
//!
//! The crates for it look digits up in tables, by the digits of a secret key. Here the time
//! depends on the length of a text alone, and on whether it is well formed.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

const DIGITS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const CHECKSUM_LEN: usize = 6;
const GENERATOR: [u32; 5] = [
    0x3b6a_57b2,
    0x2650_8e6d,
    0x1ea1_19fa,
    0x3d42_33dd,
    0x2a14_62b3,
];

/// Writes `data` after the prefix `name`, which is in lower case, and so is the text.
pub(crate) fn encode(name: &str, data: &[u8]) -> Zeroizing<String> {
    let digit_count = (data.len() * 8).div_ceil(5);
    let mut values = Zeroizing::new(Vec::with_capacity(digit_count + CHECKSUM_LEN));
    let (rest, bits) = regroup(data, 8, 5, &mut values);
    if bits > 0 {
        values.push(rest << (5 - bits));
    }
    let sum = Checksum::of_text(name, &values);
    values.extend(sum);
    // At once: a text that grows leaves copies of a secret behind.
    let mut text = Zeroizing::new(String::with_capacity(name.len() + 1 + values.len()));
    text.push_str(name);
    text.push('1');
    text.extend(values.iter().map(|&value| char::from(digit_of(value))));
    text
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// No prefix of this name, another letter than the digits have, or both cases.
    Form,
    /// The checksum does not match.
    Checksum,
}

/// Reads the bytes after the prefix `name`, which is in lower case. The text is in lower or
/// in upper case.
pub(crate) fn decode(name: &str, text: &str) -> Result<Zeroizing<Vec<u8>>, Malformed> {
    let text = text.as_bytes();
    let (prefix, digits) = text
        .split_at_checked(name.len() + 1)
        .ok_or(Malformed::Form)?;
    let is_upper = prefix.first().is_some_and(u8::is_ascii_uppercase);
    let expected = name.bytes().chain([b'1']).map(|byte| match is_upper {
        true => byte.to_ascii_uppercase(),
        false => byte,
    });
    if digits.len() < CHECKSUM_LEN || !expected.eq(prefix.iter().copied()) {
        return Err(Malformed::Form);
    }
    let mut checksum = Checksum::of_name(name.as_bytes());
    let mut values = Zeroizing::new(Vec::with_capacity(digits.len()));
    let mut is_well_formed = Choice::from(1);
    for &digit in digits {
        let (value, is_digit) = value_of(digit, is_upper);
        is_well_formed &= is_digit;
        checksum.add(value);
        values.push(value);
    }
    if !bool::from(is_well_formed) {
        return Err(Malformed::Form);
    }
    if !bool::from(checksum.0.ct_eq(&1)) {
        return Err(Malformed::Checksum);
    }
    values.truncate(digits.len() - CHECKSUM_LEN);
    let mut data = Zeroizing::new(Vec::with_capacity(values.len() * 5 / 8));
    let (rest, bits) = regroup(&values, 5, 8, &mut data);
    // What is left of the last digit is less than a digit, and zero.
    match bits < 5 && bool::from(rest.ct_eq(&0)) {
        true => Ok(data),
        false => Err(Malformed::Form),
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

/// The digit's value, and whether it is one in this case.
fn value_of(digit: u8, is_upper: bool) -> (u8, Choice) {
    let (mut found, mut is_digit) = (0, Choice::from(0));
    for (value, &expected) in (0_u8..).zip(DIGITS) {
        let expected = match is_upper {
            true => expected.to_ascii_uppercase(),
            false => expected,
        };
        let is_this = digit.ct_eq(&expected);
        found.conditional_assign(&value, is_this);
        is_digit |= is_this;
    }
    (found, is_digit)
}

fn digit_of(value: u8) -> u8 {
    let mut digit = 0;
    for (expected, candidate) in (0_u8..).zip(DIGITS) {
        digit.conditional_assign(candidate, value.ct_eq(&expected));
    }
    digit
}

/// The checksum of BIP 173.
struct Checksum(u32);

impl Checksum {
    fn of_name(name: &[u8]) -> Self {
        let mut checksum = Self(1);
        name.iter().for_each(|byte| checksum.add(byte >> 5));
        checksum.add(0);
        name.iter().for_each(|byte| checksum.add(byte & 31));
        checksum
    }

    /// The digits that end a text of this name.
    fn of_text(name: &str, values: &[u8]) -> [u8; CHECKSUM_LEN] {
        let mut checksum = Self::of_name(name.as_bytes());
        let digits = values.iter().chain(&[0; CHECKSUM_LEN]);
        digits.for_each(|&value| checksum.add(value));
        std::array::from_fn(|i| ((checksum.0 ^ 1) >> (25 - 5 * i)) as u8 & 31)
    }

    fn add(&mut self, value: u8) {
        let top = self.0 >> 25;
        self.0 = (self.0 & 0x01ff_ffff) << 5 ^ u32::from(value);
        for (bit, generator) in GENERATOR.iter().enumerate() {
            self.0 ^= generator & (top >> bit & 1).wrapping_neg();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bech32::{Bech32, Hrp};

    #[test]
    fn texts_are_those_of_the_crate() {
        for name in ["age", "age1pq", "age-secret-key-"] {
            let hrp = Hrp::parse(name).unwrap();
            for len in 0..70 {
                let data: Vec<u8> = (0..len).map(|i| (i * 37 + len) as u8).collect();
                let ours = encode(name, &data);
                assert_eq!(*ours, bech32::encode::<Bech32>(hrp, &data).unwrap());
                assert_eq!(*decode(name, &ours).unwrap(), data);
                assert_eq!(*decode(name, &ours.to_uppercase()).unwrap(), data);
            }
        }
    }

    /// A text with a checksum that is right, and bits left over that are not zero or too many.
    #[test]
    fn a_value_has_one_text() {
        for values in [&[1_u8][..], &[0], &[0, 1], &[0, 0, 0], &[0, 0, 0, 0, 1]] {
            let all = [values, &Checksum::of_text("age", values)].concat();
            let digits = all.into_iter().map(|value| char::from(digit_of(value)));
            let text: String = "age1".chars().chain(digits).collect();
            assert_eq!(decode("age", &text), Err(Malformed::Form), "{values:?}");
        }
    }
}
