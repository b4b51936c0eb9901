//! The CPU's features, from the operating system.
//!
//! Programs may not ask an AArch64 CPU for its features. The operating system tells them, each in
//! its way: HWCAP on Linux and Android, `sysctlbyname` on Apple's systems,
//! `IsProcessorFeaturePresent` on Windows. The standard library asks and remembers.
//!
//! Without the feature `std`, a build has the features that it was compiled for: `Neon` on Apple's
//! targets, whose CPUs all have it, and elsewhere with `-C target-feature=+aes` (and `+sha3`).

/// The features that tiers are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Features {
    pub(super) neon_bundle: bool,
    /// The instructions for SHA-3 beside the bundle.
    pub(super) sha3: bool,
}

/// Whether the CPU has a feature.
#[cfg(feature = "std")]
macro_rules! has {
    ($feature:tt) => {
        std::arch::is_aarch64_feature_detected!($feature)
    };
}
/// Whether every CPU has the feature that this build is for. The compiler knows PMULL of
/// 64 bits as a part of `aes`.
#[cfg(not(feature = "std"))]
macro_rules! has {
    ("pmull") => {
        has!("aes")
    };
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}

impl Features {
    #[inline(always)]
    pub(super) fn detect() -> Self {
        // The kernels take the first byte of a vector for the lowest.
        let neon_bundle = cfg!(target_endian = "little") && has!("aes") && has!("pmull");
        Self { neon_bundle, sha3: neon_bundle && has!("sha3") }
    }
}

#[cfg(all(test, feature = "std", target_os = "linux"))]
#[allow(unsafe_code)]
mod tests {
    use super::Features;
    use core::ffi::c_ulong;

    /// The kernel's own word (`asm/hwcap.h`), not by way of the standard library.
    #[test]
    fn agrees_with_hwcap() {
        unsafe extern "C" {
            safe fn getauxval(kind: c_ulong) -> c_ulong;
        }
        const AT_HWCAP: c_ulong = 16;
        let hwcap = getauxval(AT_HWCAP);
        let has = |bit: u32| hwcap >> bit & 1 == 1;
        let [simd, aes, pmull, sha3] = [1, 3, 4, 17].map(has);
        let neon_bundle = simd && aes && pmull;
        assert_eq!(Features::detect(), Features { neon_bundle, sha3: neon_bundle && sha3 });
    }
}
