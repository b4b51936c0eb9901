//! Where the bytes of the last block of a text go.

/// Indices of a byte shuffle, loaded from some bytes before or after the middle on: it moves the
/// bytes of a block up or down, and zeros in.
pub(in crate::kernel) const MOVED: [u8; 48] = {
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
pub(in crate::kernel) fn unused(text: &[u8]) -> usize {
    text.len().wrapping_neg() % 16
}
