//! What anybody may know of a secret, and what the check of constant time is told of it.

use subtle::Choice;

/// Whether a comparison of secrets succeeded, which its caller is told anyway.
pub(crate) fn publish(verdict: Choice) -> bool {
    let mut verdict = verdict.unwrap_u8();
    public(&mut verdict);
    verdict == 1
}

/// Says to valgrind that anybody may know `value`, though it was computed from secrets.
pub(crate) fn public<T: ?Sized>(value: &mut T) {
    #[cfg(feature = "__ctgrind")]
    sivka::mark_public(value);
    // What was marked is the memory: a copy in a register would still be secret.
    #[cfg(feature = "__ctgrind")]
    std::hint::black_box(value);
    #[cfg(not(feature = "__ctgrind"))]
    let _ = value;
}

/// Says to valgrind that `value` was drawn to be a secret.
pub(crate) fn secret<T: ?Sized>(value: &T) {
    #[cfg(feature = "__ctgrind")]
    sivka::mark_secret(value);
    #[cfg(not(feature = "__ctgrind"))]
    let _ = value;
}
