//! Tiers: zero-sized values that prove features of this CPU.
//!
//! A token's field is private, and its only constructors ask the CPU. So a value of type `Avx512`
//! *is* the proof that the instructions of that tier may run. [`Token::run_within`] is the one function
//! that enters the feature context. It wipes all vector registers at its end, also on unwinding.

use super::registers;
use super::stack::{self, Depth};
use super::tiers;
use core::fmt;

/// Proof that the CPU features of one tier are present.
pub(crate) trait Token: Copy + Send + Sync + 'static {
    /// The proof, if this CPU and its operating system give it.
    fn detect() -> Option<Self>;

    /// Whether a call keeps little on the stack.
    const HAS_MANY_REGISTERS: bool;

    /// Runs `f` compiled for this tier's instructions, in a frame of its own, and then wipes all
    /// vector registers.
    fn enter<R>(self, f: impl FnOnce() -> R) -> R;

    /// Overwrites so many KiB of the stack below the caller.
    fn overwrite<const KIB: usize>(self);

    /// [`enter`](Self::enter), and then overwrites the stack that is dead, as deep as `f` went.
    #[inline(always)]
    fn run_within<R>(self, depth: Depth, f: impl FnOnce() -> R) -> R {
        let _dead = DeadStack(self, depth);
        self.enter(f)
    }

    /// [`run_within`](Self::run_within) the depth of any call.
    #[cfg(test)]
    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        self.run_within(Depth::Batch, f)
    }
}

/// Overwrites dead stack when dropped, in the function that made the call, and the registers that a
/// function need not give back.
struct DeadStack<T: Token>(T, Depth);

impl<T: Token> Drop for DeadStack<T> {
    #[inline(always)]
    fn drop(&mut self) {
        match self.1 {
            Depth::Nothing => return,
            Depth::Shallow if T::HAS_MANY_REGISTERS => self.0.overwrite::<3>(),
            // Frames are larger where a crate is compiled in several units, as Cargo does it
            // unless told otherwise.
            Depth::Shallow | Depth::Middle => self.0.overwrite::<8>(),
            Depth::Deep => self.0.overwrite::<12>(),
            Depth::Batch => self.0.overwrite::<16>(),
        }
        registers::wipe_scratch();
    }
}

/// No instruction beyond the target's baseline.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Portable(());

#[cfg(sivka_stateless)]
impl Portable {
    /// As the tokens of other tiers have it.
    pub(in crate::tier) const fn trusted(_beside: bool) -> Self {
        Self(())
    }
}

impl Token for Portable {
    const HAS_MANY_REGISTERS: bool = false;

    fn detect() -> Option<Self> {
        Some(Self(()))
    }

    #[inline(never)]
    fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        let _wipe = registers::WipeBaseline;
        f()
    }

    #[inline(never)]
    fn overwrite<const KIB: usize>(self) {
        stack::overwrite([(); KIB]);
    }
}

/// How many 32-bit words a vector of that baseline has; one if it has no vectors.
pub(crate) const BASELINE_WORDS: usize =
    if cfg!(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128")) {
        4
    } else {
        1
    };

/// One `match`, one `run`: `$body` sees the token of `$tier`, and runs on it. `$depth` says how
/// much dead stack is overwritten.
macro_rules! on_tier {
    ([$(($token:ident $name:literal))*] $tier:expr, $depth:expr, $t:ident, $body:expr) => {
        match $tier.0 {
            $($crate::tier::Kind::$token($t) => {
                $crate::tier::Token::run_within($t, $depth, || $body)
            })*
        }
    };
    ($tier:expr, $depth:expr, |$t:ident| $body:expr) => {
        $crate::tier::tiers! { [$crate::tier::on_tier] $tier, $depth, $t, $body }
    };
}
pub(crate) use on_tier;

/// Declares the state of a key, which has another type on each tier: an enum with one variant a
/// tier, and `Refused` for a tier whose kernels gave a wrong known answer. `$kept<T>` is the state
/// on tier `T`, and [`on_kept!`] works with it.
macro_rules! per_tier {
    ([$(($token:ident $tier_name:literal))*] $(#[$meta:meta])* $vis:vis enum $name:ident($kept:ident)) => {
        $(#[$meta])*
        // The portable layout is the largest; a box would cost every tier an allocation.
        #[allow(clippy::large_enum_variant)]
        $vis enum $name {
            /// The tier's kernels gave a wrong known answer.
            Refused,
            $($token($crate::tier::$token, $kept<$crate::tier::$token>),)*
        }

        $(impl From<($crate::tier::$token, $kept<$crate::tier::$token>)> for $name {
            #[inline(always)]
            fn from((t, kept): ($crate::tier::$token, $kept<$crate::tier::$token>)) -> Self {
                Self::$token(t, kept)
            }
        })*
    };
    ($(#[$meta:meta])* $vis:vis enum $name:ident($kept:ident)) => {
        $crate::tier::tiers! { [$crate::tier::per_tier] $(#[$meta])* $vis enum $name($kept) }
    };
}
pub(crate) use per_tier;

/// One `match`, one `run` on an enum of [`per_tier!`]: `$body` sees the token and its state. `None`
/// if the tier was refused.
macro_rules! on_kept {
    ([$(($token:ident $tier_name:literal))*] $kept:expr, $name:path, $depth:expr, $t:ident, $keys:ident, $body:expr) => {{
        use $name as PerTier;
        match $kept {
            PerTier::Refused => None,
            $(&PerTier::$token($t, ref $keys) => Some($crate::tier::Token::run_within($t, $depth, || $body)),)*
        }
    }};
    ($kept:expr, $name:path, $depth:expr, |$t:ident, $keys:ident| $body:expr) => {
        $crate::tier::tiers! { [$crate::tier::on_kept] $kept, $name, $depth, $t, $keys, $body }
    };
}
pub(crate) use on_kept;

macro_rules! declare_kinds {
    ([$(($token:ident $name:literal))*]) => {
        /// The same choice with the tokens inside, for `match`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Kind {
            $($token(super::$token),)*
        }

        /// The tiers' numbers, the narrowest first.
        enum Number {
            $($token,)*
        }

        impl Kind {
            /// Every tier, where this CPU has it.
            fn detect() -> impl DoubleEndedIterator<Item = Self> {
                [$(super::$token::detect().map(Self::$token),)*].into_iter().flatten()
            }
        }

        impl Tier {
            /// How many tiers this target knows of.
            pub(crate) const COUNT: usize = [$(Number::$token,)*].len();

            /// A number below [`Tier::COUNT`], the narrowest tier first.
            pub(crate) fn index(self) -> usize {
                match self.0 {
                    $(Kind::$token(_) => Number::$token as usize,)*
                }
            }

            /// The name used by reports, by `SIVKA_TIER` and by `SIVKA_REQUIRE_TIERS`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self.0 {
                    $(Kind::$token(_) => $name,)*
                }
            }
        }
    };
}
tiers! { [declare_kinds] }

/// The instruction set that a key's kernels run on.
///
/// A `Tier` can only be had from the CPU it runs on, so holding one proves that
/// its instructions exist. Programs need none of this: every key chooses
/// [`Tier::detect`] by itself. Tests and benchmarks walk [`Tier::available`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tier(pub(crate) Kind);

impl Tier {
    /// The widest tier of this CPU.
    ///
    /// A program built with the private feature `__force_tier` may be told a
    /// lower one by the environment variable `SIVKA_TIER`.
    #[must_use]
    pub fn detect() -> Self {
        let portable = Self(Kind::Portable(Self::portable()));
        #[cfg(feature = "__force_tier")]
        if let Some(name) = std::env::var_os("SIVKA_TIER") {
            let wanted = Self::available().find(|tier| name == tier.name());
            return wanted.unwrap_or(portable);
        }
        Kind::detect().next_back().map_or(portable, Self)
    }

    /// Every tier that this CPU can run, the narrowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Kind::detect().map(Self)
    }

    /// Makes a call of others' code on a message of so many bytes. Afterwards nothing of its key
    /// is left in registers and on the stack, if such a call of ours would leave nothing.
    /// For `sivka-keyset`; outside semver.
    #[doc(hidden)]
    pub fn __run<R>(self, message_len: usize, call: impl FnOnce() -> R) -> R {
        // That code chooses its instructions itself.
        on_tier!(self, Depth::of_message(message_len), |_t| stack::apart(call))
    }

    /// The token that every CPU has.
    pub(crate) fn portable() -> Portable {
        Portable(())
    }
}

impl fmt::Debug for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
