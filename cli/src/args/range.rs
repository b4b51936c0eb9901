//! Ranges of bytes, as they are typed.

use std::ops::Range;
use std::str::FromStr;

/// A part of a file's content: `A..B`, `A..`, `..B` or `..`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteRange {
    start: u64,
    end: Option<u64>,
}

impl ByteRange {
    /// The bytes that are meant of a content of `len` bytes; `None` if it has not all of
    /// them.
    pub(crate) fn within(self, len: u64) -> Option<Range<u64>> {
        let end = self.end.unwrap_or(len);
        (self.start <= end && end <= len).then_some(self.start..end)
    }
}

impl FromStr for ByteRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (start, end) = text.split_once("..").ok_or("a range is A..B")?;
        let number = |text: &str| match text {
            "" => Ok(None),
            _ => bytes(text).map(Some),
        };
        let range = Self {
            start: number(start)?.unwrap_or(0),
            end: number(end)?,
        };
        match range.end {
            Some(end) if end < range.start => Err("it ends before it begins"),
            _ => Ok(range),
        }
    }
}

/// A number of bytes: digits, perhaps with a fraction, and a unit if wanted.
fn bytes(text: &str) -> Result<u64, &'static str> {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("", 0)];
    let (number, shift) = units
        .into_iter()
        .find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift)))
        .ok_or(NO_NUMBER)?;
    let (whole, fraction) = match number.split_once('.') {
        Some((_, "")) => return Err(NO_NUMBER),
        Some(parts) => parts,
        None => (number, ""),
    };
    // In parts of ten to a power, of which the number of bytes is a multiple.
    let parts = 10_u128.checked_pow(fraction.len() as u32).ok_or(TOO_LONG)?;
    let count = digits(whole)?.checked_mul(parts).ok_or(TOO_LONG)?;
    let count = match fraction {
        "" => Some(count),
        _ => count.checked_add(digits(fraction)?),
    };
    let scaled = count.and_then(|count| count.checked_mul(1 << shift));
    let scaled = scaled.ok_or(TOO_LONG)?;
    match scaled % parts {
        0 => u64::try_from(scaled / parts).map_err(|_| TOO_LONG),
        _ => Err("not a whole number of bytes"),
    }
}

const NO_NUMBER: &str = "not a number of bytes, with KiB, MiB, GiB or TiB if wanted";
const TOO_LONG: &str = "more bytes than there can be";

fn digits(text: &str) -> Result<u128, &'static str> {
    match !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit()) {
        true => text.parse().map_err(|_| TOO_LONG),
        false => Err(NO_NUMBER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_meant() {
        let within = |text: &str, len| text.parse::<ByteRange>().map(|range| range.within(len));
        assert_eq!(within("0..5", 10), Ok(Some(0..5)));
        assert_eq!(within("5..", 10), Ok(Some(5..10)));
        assert_eq!(within("..5", 10), Ok(Some(0..5)));
        assert_eq!(within("..", 10), Ok(Some(0..10)));
        assert_eq!(within("10..", 10), Ok(Some(10..10)));
        assert_eq!(within("5..5", 10), Ok(Some(5..5)));
        assert_eq!(within("1KiB..2MiB", 1 << 30), Ok(Some(1024..2 << 20)));
        assert_eq!(within("1.5KiB..2.25MiB", 1 << 30), Ok(Some(1536..9 << 18)));
        assert_eq!(within("1.0..0.5KiB", 1 << 30), Ok(Some(1..512)));
        assert_eq!(within("11..", 10), Ok(None));
        assert_eq!(within("..11", 10), Ok(None));
        for wrong in [
            "",
            "5",
            "5..4",
            "+1..",
            "1 KiB..",
            "1kb..",
            "-1..",
            "KiB..",
            "1.5..",
            "0.1KiB..",
            "1.KiB..",
            ".5KiB..",
            "1.2.3KiB..",
            "1.-5KiB..",
            "0.000000000000000000000000000000000000000001TiB..",
            "16777216TiB..",
        ] {
            assert!(wrong.parse::<ByteRange>().is_err(), "{wrong}");
        }
    }
}
