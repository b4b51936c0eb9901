//! POLYVAL (RFC 8452 section 3): what a tier must offer.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(in crate::kernel) mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(in crate::kernel) mod avx512;
pub(in crate::kernel) mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(in crate::kernel) mod vaes256;

use super::Block;
use crate::tier::Token;

/// POLYVAL of the input that RFC 8452 section 4 gives it.
pub(crate) trait Polyval: Token {
    /// `POLYVAL(h, pad(aad) ‖ pad(text) ‖ length_block)`, where `pad` appends zeros to
    /// a whole number of blocks.
    fn polyval(self, h: &Block, aad: &[u8], text: &[u8], length_block: &Block) -> Block;
}

/// Work for the time in which POLYVAL waits for a product.
pub(in crate::kernel) trait Step {
    /// Does a part of it, if any is left.
    fn step(&mut self);
}

/// None.
impl Step for () {
    #[inline(always)]
    fn step(&mut self) {}
}

/// What stands beside POLYVAL of a message: other work, and the text, which may first have
/// to be decrypted.
pub(in crate::kernel) trait Beside<Text>: Step {
    /// The text. POLYVAL asks once, when all that comes before it is done.
    fn text(&mut self) -> Text;
}

/// A text that is there, and no work.
pub(in crate::kernel) struct Alone<Text>(pub(in crate::kernel) Text);

impl<Text> Step for Alone<Text> {
    #[inline(always)]
    fn step(&mut self) {}
}

impl<Text: Copy> Beside<Text> for Alone<Text> {
    #[inline(always)]
    fn text(&mut self) -> Text {
        self.0
    }
}
