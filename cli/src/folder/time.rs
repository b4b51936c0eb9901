//! Times of last change, to the nanosecond.

use rustix::fs::{Timespec, Timestamps, UTIME_OMIT};

const NANOS: i128 = 1_000_000_000;

/// A time of last change: nanoseconds since 1970 began, or before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mtime(i128);

impl Mtime {
    pub(super) fn new(seconds: i64, nanos: i64) -> Self {
        Self(i128::from(seconds) * NANOS + i128::from(nanos))
    }

    /// As a pax record has it: a decimal number of seconds.
    pub(super) fn from_decimal(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if !(whole.bytes().chain(fraction.bytes())).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let whole: i64 = whole.parse().ok()?;
        // What is finer than a nanosecond is left off.
        let nanos: i128 = format!("{fraction:0<9}")[..9].parse().ok()?;
        Some(Self(sign * (i128::from(whole) * NANOS + nanos)))
    }

    pub(super) fn to_decimal(self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, nanos) = (self.0.abs() / NANOS, self.0.abs() % NANOS);
        match nanos {
            0 => format!("{sign}{whole}"),
            _ => format!("{sign}{whole}.{nanos:09}"),
        }
    }

    /// Whole seconds, and the nanoseconds after them.
    pub(super) fn parts(self) -> (i64, u32) {
        // Both fit, by how a value is made.
        let seconds = self.0.div_euclid(NANOS) as i64;
        (seconds, self.0.rem_euclid(NANOS) as u32)
    }

    /// For the system: the time of last access is left.
    pub(super) fn timestamps(self) -> Timestamps {
        let (seconds, nanos) = self.parts();
        Timestamps {
            last_access: Timespec {
                tv_sec: 0,
                tv_nsec: UTIME_OMIT,
            },
            last_modification: Timespec {
                tv_sec: seconds,
                tv_nsec: nanos.into(),
            },
        }
    }

    /// Whether every file system has it: it is no earlier than 1980, and before 2038.
    pub(super) fn is_plain(self) -> bool {
        const FAT_BEGINS: i64 = 315_532_800;
        (FAT_BEGINS..1 << 31).contains(&self.parts().0)
    }

    /// Whole seconds, where a header can hold them without losing anything.
    pub(super) fn as_plain(self) -> Option<u64> {
        /// What eleven octal digits hold.
        const LIMIT: i128 = 1 << 33;
        let fits = self.0 % NANOS == 0 && (0..LIMIT).contains(&(self.0 / NANOS));
        fits.then_some((self.0 / NANOS) as u64)
    }

    /// Date and time in UTC, by the calendar of today carried backwards and forwards.
    pub(super) fn utc(self) -> String {
        let (seconds, _) = self.parts();
        let (day, second) = (seconds.div_euclid(86400), seconds.rem_euclid(86400));
        // Years of 400 begin with March 1, so that a leap day is the last of its year.
        let day = i128::from(day) + 719_468;
        let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
        let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 {
            (month + 3, 0)
        } else {
            (month - 9, 1)
        };
        let year = year + era * 400 + next;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_header_holds_whole_seconds_of_33_bits() {
        for (text, seconds) in [
            ("0", Some(0)),
            ("1", Some(1)),
            ("8589934591", Some(8_589_934_591)),
            ("8589934592", None),
            ("9223372036854775807", None),
            ("1.500000000", None),
            ("-1", None),
        ] {
            let time = Mtime::from_decimal(text).expect("a number");
            assert_eq!(time.as_plain(), seconds, "{text}");
        }
    }

    #[test]
    fn decimals_come_back() {
        for (text, parts) in [
            ("0", (0, 0)),
            ("1.500000000", (1, 500_000_000)),
            ("-1.500000000", (-2, 500_000_000)),
            ("-0.000000001", (-1, 999_999_999)),
            ("9223372036854775807.999999999", (i64::MAX, 999_999_999)),
        ] {
            let time = Mtime::from_decimal(text).expect("a number");
            assert_eq!(time.parts(), parts);
            assert_eq!(time.to_decimal(), text);
        }
        for text in [
            "",
            ".",
            "x",
            "1e9",
            "--1",
            "+1",
            "1.-5",
            "9223372036854775808",
        ] {
            assert_eq!(Mtime::from_decimal(text), None, "{text}");
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01 00:00:00Z"),
            (951_782_400, "2000-02-29 00:00:00Z"),
            (4_107_542_399, "2100-02-28 23:59:59Z"),
            (4_107_542_400, "2100-03-01 00:00:00Z"),
            (-1, "1969-12-31 23:59:59Z"),
            (-62_135_596_800, "0001-01-01 00:00:00Z"),
        ] {
            assert_eq!(Mtime::new(seconds, 0).utc(), date);
        }
        // Whatever an archive says can be shown.
        Mtime::new(i64::MAX, 0).utc();
        Mtime::new(i64::MIN, 0).utc();
    }
}
