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

/// A number of bytes, in digits.
fn bytes(text: &str) -> Result<u64, &'static str> {
    match text.bytes().all(|digit| digit.is_ascii_digit()) {
        true => text.parse().map_err(|_| "more bytes than there can be"),
        false => Err("not a number of bytes"),
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
        assert_eq!(within("11..", 10), Ok(None));
        assert_eq!(within("..11", 10), Ok(None));
        for wrong in [
            "",
            "5",
            "5..4",
            "+1..",
            "1KiB..",
            "-1..",
            "1.5..",
            "18446744073709551616..",
        ] {
            assert!(wrong.parse::<ByteRange>().is_err(), "{wrong}");
        }
    }
}
