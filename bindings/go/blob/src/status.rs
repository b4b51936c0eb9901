//! Statuses of calls.

use sivka::Error;

/// The result of a call. Go knows these numbers.
#[repr(u64)]
#[derive(Clone, Copy)]
pub(crate) enum Status {
    Done = 0,
    NotOpened = 1,
    /// The caller broke its promise about lengths, or the tier.
    Refused = 2,
}

impl From<Result<(), Error>> for Status {
    #[inline(always)]
    fn from(result: Result<(), Error>) -> Self {
        match result {
            Ok(()) => Self::Done,
            Err(Error::Open) => Self::NotOpened,
            Err(_) => Self::Refused,
        }
    }
}
