//! What is done while POLYVAL waits.

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
