//! How code is compiled for the instructions of a tier, and how a token lets it run.

/// Declares a kernel, or several: a safe function that takes the tier's token and whose
/// body is compiled for that tier.
///
/// ```text
/// kernel! { fn name[const N: usize](tier: Avx2, bytes: &mut [u8; N]) -> usize { … } }
/// ```
///
/// The body runs inside a `#[target_feature]` function, where intrinsics that
/// take no pointer are safe; the one `unsafe` is the crossing, and the token is
/// its proof. Each architecture's `kernel!` says which features a tier's kernels may use,
/// and hands them on to this macro.
///
/// `apart`: never inlined, even if the whole program is built for this tier, as for one CPU and for
/// every Mac of today.
macro_rules! compiled_for {
    ($features:literal, apart $($kernel:tt)*) => {
        $crate::tier::compiled_for!(@[inline(never)] $features, $($kernel)*);
    };
    ($features:literal, $($kernel:tt)*) => {
        $crate::tier::compiled_for!(@[inline] $features, $($kernel)*);
    };
    (@[$inline:meta] $features:literal, $(#[$meta:meta])* $vis:vis fn $name:ident [$($generics:tt)*] ($tier:ident: $token:ty $(, $arg:ident: $ty:ty)*) [$($ret:tt)*] $body:block) => {
        $(#[$meta])*
        #[allow(unsafe_code)]
        #[inline(always)]
        $vis fn $name<$($generics)*>($tier: $token $(, $arg: $ty)*) $($ret)* {
            #[target_feature(enable = $features)]
            #[$inline]
            fn body<$($generics)*>($tier: $token $(, $arg: $ty)*) $($ret)* {
                let _ = $tier;
                $body
            }
            // SAFETY: the token proves that the CPU has the features named above.
            unsafe { body($tier $(, $arg)*) }
        }
    };
}
pub(crate) use compiled_for;

/// Declares what kernels are made of, all for the same features:
///
/// ```text
/// helpers! { "avx2"; fn name[const N: usize](vectors: [Vector; N]) -> Vector { … } … }
/// ```
///
/// The compiler lets only code for these features call them.
macro_rules! helpers {
    ($features:literal; $(
        $(#[$meta:meta])*
        $vis:vis fn $name:ident $([$($generics:tt)*])? ($($arguments:tt)*) $(-> $result:ty)? $body:block
    )*) => { $(
        $(#[$meta])*
        #[inline]
        #[target_feature(enable = $features)]
        $vis fn $name $(<$($generics)*>)? ($($arguments)*) $(-> $result)? $body
    )* };
}
pub(crate) use helpers;

/// The entry of a token for a feature beside its tier: nothing, for the CPU can be asked.
#[cfg(not(sivka_stateless))]
pub(super) type Beside = ();

/// Whether the CPU has it, if no static can remember the CPU's answer.
#[cfg(sivka_stateless)]
pub(super) type Beside = bool;

#[cfg(not(sivka_stateless))]
pub(super) fn beside(_has: bool) -> Beside {}

#[cfg(sivka_stateless)]
pub(super) fn beside(has: bool) -> Beside {
    has
}

/// A token, and how its code is entered: a kernel that calls its argument, with the guard that
/// wipes every vector register, and one that overwrites dead stack.
macro_rules! token {
    ($(#[$meta:meta])* $token:ident, $feature:ident beside $beside:ident, $wipe:ident, many registers: $many:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) struct $token($crate::tier::features::Beside);

        #[cfg(sivka_stateless)]
        impl $token {
            /// The token of a CPU that is known to have the tier.
            pub(in crate::tier) const fn trusted(beside: $crate::tier::features::Beside) -> Self {
                Self(beside)
            }
        }

        impl Token for $token {
            const HAS_MANY_REGISTERS: bool = $many;

            fn detect() -> Option<Self> {
                let features = Features::detect();
                let beside = $crate::tier::features::beside(features.$beside);
                features.$feature.then_some(Self(beside))
            }

            #[inline(always)]
            fn enter<R>(self, f: impl FnOnce() -> R) -> R {
                // `apart`: the frame that overwrites is not overwritten itself.
                kernel! {
                    @$token apart fn enter [R, F: FnOnce() -> R] (tier: $token, f: F) [-> R] {
                        let _wipe = $wipe;
                        f()
                    }
                }
                enter(self, f)
            }

            #[inline(always)]
            fn overwrite<const KIB: usize>(self) {
                kernel! {
                    @$token apart fn overwrite [const KIB: usize] (tier: $token, kib: [(); KIB]) [] {
                        $crate::tier::stack::overwrite(kib);
                    }
                }
                overwrite(self, [(); KIB]);
            }
        }
    };
}
pub(super) use token;
