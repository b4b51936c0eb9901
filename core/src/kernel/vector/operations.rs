//! What vectors of all widths have in common.

/// Declares operations, each compiled for these features.
macro_rules! operations {
    ($features:literal; $(
        $(#[$meta:meta])*
        fn $name:ident $([$($generics:tt)*])? ($($arguments:tt)*) $(-> $result:ty)? $body:block
    )*) => { $(
        $(#[$meta])*
        #[inline]
        #[target_feature(enable = $features)]
        pub(in crate::kernel) fn $name $(<$($generics)*>)? ($($arguments)*) $(-> $result)? $body
    )* };
}
pub(super) use operations;

/// Indices of a byte shuffle, loaded from some bytes before or after the middle on: it moves the
/// bytes of a block up or down, and zeros in.
pub(super) const MOVED: [u8; 48] = {
    let mut indices = [0x80; 48];
    let mut i = 0;
    while i < 16 {
        indices[16 + i] = i as u8;
        i += 1;
    }
    indices
};

/// The bytes of a block that the last one of a text does not have.
#[inline(always)]
pub(super) fn unused(text: &[u8]) -> usize {
    text.len().wrapping_neg() % 16
}
