//! The ends of texts, in vectors of one block.

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

/// Defines how they are loaded and stored, where `Vector`, `shuffle` and `xor` are those of one block.
macro_rules! ends {
    ($features:literal) => {
        use super::ends::{MOVED, unused};
        use $crate::tier::bytes::{load128_padded, store128_partial};

        $crate::tier::helpers! {
            $features;
            /// Moves the bytes of a block as many places towards the first, less 16.
            fn moved(block: Vector, places: usize) -> Vector {
                match MOVED[places.min(32)..].first_chunk() {
                    Some(indices) => shuffle(block, indices),
                    None => block,
                }
            }

            /// The last block of a text, which may be cut short: then zeros after it. All lengths
            /// but those below a block take the same way: CPUs cannot guess the ways of texts of
            /// different lengths.
            pub(in crate::kernel) fn load_end(text: &[u8]) -> Vector {
                match text.last_chunk() {
                    Some(bytes) => moved(load128(bytes), 16 + unused(text)),
                    None => load128_padded(text),
                }
            }

            /// Stores it; `previous` is the block before it, if the text has one.
            pub(in crate::kernel) fn store_end(text: &mut [u8], previous: Vector, end: Vector) {
                let unused = unused(text);
                match text.last_chunk_mut() {
                    Some(bytes) => {
                        let (previous, end) = (moved(previous, 32 - unused), moved(end, 16 - unused));
                        store128(bytes, xor(previous, end));
                    }
                    None => store128_partial(text, end),
                }
            }
        }
    };
}
pub(super) use ends;
