//! Offsets of a column.

use sivka::OffsetsMut;

/// Offsets of a column, of either width, with their memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Offsets {
    Bits32(Vec<i32>),
    Bits64(Vec<i64>),
}

impl Offsets {
    pub(super) fn of(offsets: &[usize], is_wide: bool) -> Self {
        if is_wide {
            Self::Bits64(offsets.iter().map(|offset| *offset as i64).collect())
        } else {
            Self::Bits32(offsets.iter().map(|offset| *offset as i32).collect())
        }
    }

    pub(super) fn get(&self) -> sivka::Offsets<'_> {
        match self {
            Self::Bits32(offsets) => sivka::Offsets::Bits32(offsets),
            Self::Bits64(offsets) => sivka::Offsets::Bits64(offsets),
        }
    }

    pub(super) fn get_mut(&mut self) -> OffsetsMut<'_> {
        match self {
            Self::Bits32(offsets) => OffsetsMut::Bits32(offsets),
            Self::Bits64(offsets) => OffsetsMut::Bits64(offsets),
        }
    }
}
