//! The comparison of tags, and what the check of constant time is told of it.

use subtle::ConstantTimeEq;

/// Whether two tags are equal, in time that does not depend on where they differ.
pub(super) fn equal(made: &[u8], given: &[u8]) -> bool {
    public(made.ct_eq(given).unwrap_u8() == 1)
}

/// A verdict, which is told to whoever asked, and is no secret.
pub(super) fn public(verdict: bool) -> bool {
    #[cfg(feature = "__ctgrind")]
    let verdict = {
        sivka::mark_public(&verdict);
        // What was marked is the memory: a copy in a register would still be secret.
        *std::hint::black_box(&verdict)
    };
    verdict
}
