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
            _ if !text.bytes().all(|digit| digit.is_ascii_digit()) => Err("not a number of bytes"),
            _ => text.parse().map(Some).map_err(|_| "more bytes than there can be"),
        };
        let (start, end) = (number(start)?.unwrap_or(0), number(end)?);
        match end {
            Some(end) if end < start => Err("it ends before it begins"),
            _ => Ok(Self { start, end }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_meant() {
        let within = |text: &str| text.parse::<ByteRange>().map(|range| range.within(10));
        assert_eq!(within("0..5"), Ok(Some(0..5)));
        assert_eq!(within("5.."), Ok(Some(5..10)));
        assert_eq!(within("..5"), Ok(Some(0..5)));
        assert_eq!(within("10.."), Ok(Some(10..10)));
        assert_eq!(within("11.."), Ok(None));
        assert_eq!(within("..11"), Ok(None));
        for wrong in ["", "5", "5..4", "+1..", "1KiB..", "-1..", "18446744073709551616.."] {
            assert!(wrong.parse::<ByteRange>().is_err(), "{wrong}");
        }
    }
}
