//! Tiers: zero-sized values that prove what this CPU can do.
//!
//! A token's field is private and its only constructors look at the CPU, so a
//! value of type [`Avx512`] *is* the proof that the instructions of that tier
//! may run. [`Token::run`] is the one place where code enters the feature
//! context, and it wipes that tier's registers on the way out, unwinding
//! included.

#[cfg(target_arch = "x86_64")]
use super::cpu::Features;
use super::secret;
use core::fmt;

/// Declares a kernel: a safe function that takes the tier's token and whose
/// body is compiled for that tier.
///
/// ```text
/// kernel! { fn name[const N: usize](tier: Avx2, bytes: &mut [u8; N]) -> usize { … } }
/// ```
///
/// The body runs inside a `#[target_feature]` function, where intrinsics that
/// take no pointer are safe; the one `unsafe` is the crossing, and the token is
/// its proof. This macro is the only place that lists a tier's features.
#[cfg(target_arch = "x86_64")]
macro_rules! kernel {
    ($(#[$meta:meta])* $vis:vis fn $name:ident $([$($generics:tt)*])? ($tier:ident: $token:ident $(, $arg:ident: $ty:ty)* $(,)?) $(-> $ret:ty)? $body:block) => {
        $crate::tier::kernel!(@$token
            $(#[$meta])* $vis fn $name [$($($generics)*)?] ($tier: $crate::tier::$token $(, $arg: $ty)*) [$(-> $ret)?] $body);
    };
    (@Avx2 $($kernel:tt)*) => {
        $crate::tier::kernel!(@@ "aes,pclmulqdq,avx2,bmi2", $($kernel)*);
    };
    (@Vaes256 $($kernel:tt)*) => {
        $crate::tier::kernel!(@@ "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq", $($kernel)*);
    };
    (@Vaes256Gfni $($kernel:tt)*) => {
        $crate::tier::kernel!(@@ "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,gfni", $($kernel)*);
    };
    (@Avx512 $($kernel:tt)*) => {
        $crate::tier::kernel!(@@ "aes,pclmulqdq,avx2,bmi2,vaes,vpclmulqdq,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,gfni", $($kernel)*);
    };
    (@@ $features:literal, $(#[$meta:meta])* $vis:vis fn $name:ident [$($generics:tt)*] ($tier:ident: $token:ty $(, $arg:ident: $ty:ty)*) [$($ret:tt)*] $body:block) => {
        $(#[$meta])*
        #[allow(unsafe_code)]
        #[inline(always)]
        $vis fn $name<$($generics)*>($tier: $token $(, $arg: $ty)*) $($ret)* {
            #[target_feature(enable = $features)]
            #[inline]
            fn body<$($generics)*>($tier: $token $(, $arg: $ty)*) $($ret)* {
                let _ = $tier;
                $body
            }
            // SAFETY: the token proves that the CPU has the features named above.
            unsafe { body($tier $(, $arg)*) }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use kernel;

/// Proof that the CPU features of one tier are present.
pub(crate) trait Token: Copy + Send + Sync + 'static {
    /// Runs `f` compiled for this tier's instructions, then wipes the tier's registers.
    fn run<R>(self, f: impl FnOnce() -> R) -> R;
}

/// No instruction beyond the target's baseline.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Portable(());

/// How many 32-bit words a vector of that baseline has; one if it has no vectors.
pub(crate) const BASELINE_WORDS: usize = if cfg!(any(
    target_feature = "sse2",
    target_feature = "neon",
    target_feature = "simd128"
)) {
    4
} else {
    1
};

/// AES-NI, PCLMULQDQ, AVX2 and BMI2.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Avx2(());

/// The AVX2 tier with VAES and VPCLMULQDQ at 256 bits, on CPUs that lack AVX-512
/// as well as on those that have it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Vaes256(());

/// The 256-bit VAES tier of a CPU that has GFNI as well, which the first CPUs of that tier
/// lack. No tier of its own: only kernels that gain by it ask for it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Vaes256Gfni(());

/// AVX-512 F, BW, VL, DQ and VBMI with VAES, VPCLMULQDQ and GFNI.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Avx512(());

impl Token for Portable {
    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        let _wipe = secret::WipeBaseline;
        f()
    }
}

/// The tiers whose features must be entered: `run` is a kernel that calls its argument.
#[cfg(target_arch = "x86_64")]
macro_rules! run_inside {
    ($token:ident, $wipe:path) => {
        impl Token for $token {
            #[inline(always)]
            fn run<R>(self, f: impl FnOnce() -> R) -> R {
                kernel! {
                    fn enter[R, F: FnOnce() -> R](tier: $token, f: F) -> R {
                        let _wipe = $wipe;
                        f()
                    }
                }
                enter(self, f)
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
run_inside!(Avx2, secret::WipeYmm);
#[cfg(target_arch = "x86_64")]
run_inside!(Vaes256, secret::WipeYmm);
#[cfg(target_arch = "x86_64")]
run_inside!(Vaes256Gfni, secret::WipeYmm);
#[cfg(target_arch = "x86_64")]
run_inside!(Avx512, secret::WipeZmm);

#[cfg(target_arch = "x86_64")]
impl Vaes256 {
    /// The narrower tier that every CPU of this one also is.
    #[inline(always)]
    pub(crate) fn avx2(self) -> Avx2 {
        Avx2(())
    }

    /// The same tier with GFNI, where the CPU has it.
    pub(crate) fn with_gfni(self) -> Option<Vaes256Gfni> {
        Features::detect().gfni.then_some(Vaes256Gfni(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Vaes256Gfni {
    /// The narrower tier that every CPU of this one also is.
    #[inline(always)]
    pub(crate) fn avx2(self) -> Avx2 {
        Avx2(())
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// A narrower tier that every CPU of this one also is.
    #[inline(always)]
    pub(crate) fn avx2(self) -> Avx2 {
        Avx2(())
    }
}

/// The instruction set that a key's kernels run on.
///
/// A `Tier` can only be had from the CPU it runs on, so holding one proves that
/// its instructions exist. Programs need none of this: every key chooses
/// [`Tier::detect`] by itself. Tests and benchmarks walk [`Tier::available`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tier(pub(crate) Kind);

/// The same choice with the tokens inside, for `match`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Vaes256(Vaes256),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Tier {
    /// The widest tier of this CPU.
    ///
    /// A program built with the private feature `__force_tier` may be told a
    /// lower one by the environment variable `SIVKA_TIER`.
    #[must_use]
    pub fn detect() -> Self {
        let tiers = Self::available();
        #[cfg(feature = "__force_tier")]
        if let Some(name) = std::env::var_os("SIVKA_TIER") {
            let wanted = Self::available().find(|tier| name == tier.name());
            return wanted.unwrap_or(Self(Kind::Portable(Portable(()))));
        }
        tiers.last().unwrap_or(Self(Kind::Portable(Portable(()))))
    }

    /// Every tier that this CPU can run, the narrowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        let portable = Some(Kind::Portable(Portable(())));
        #[cfg(target_arch = "x86_64")]
        let kinds = {
            let features = Features::detect();
            [
                portable,
                features.avx2_bundle.then_some(Kind::Avx2(Avx2(()))),
                features
                    .vaes256_bundle
                    .then_some(Kind::Vaes256(Vaes256(()))),
                features.avx512_bundle.then_some(Kind::Avx512(Avx512(()))),
            ]
        };
        #[cfg(not(target_arch = "x86_64"))]
        let kinds = [portable];
        kinds.into_iter().flatten().map(Self)
    }

    /// The token that every CPU has.
    pub(crate) fn portable() -> Portable {
        Portable(())
    }

    /// How many tiers this target knows of.
    pub(crate) const COUNT: usize = 4;

    /// A number below [`Tier::COUNT`], the narrowest tier first.
    pub(crate) fn index(self) -> usize {
        match self.0 {
            Kind::Portable(_) => 0,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(_) => 1,
            #[cfg(target_arch = "x86_64")]
            Kind::Vaes256(_) => 2,
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(_) => 3,
        }
    }

    /// The name used by reports, by `SIVKA_TIER` and by `SIVKA_REQUIRE_TIERS`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Vaes256(_) => "vaes256",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(_) => "avx512",
        }
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
