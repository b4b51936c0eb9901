//! Which tiers this machine must offer, by the operating system's word.
//!
//! The library reads CPUID itself; here the answer is the flags that Linux
//! prints, so that a mistake in the one is not repeated in the other.

use std::fs;

/// A tier and its features, in Linux's names.
type Needs = (&'static str, &'static str);

/// The tiers of AArch64, the narrowest first.
const AARCH64: [Needs; 2] = [("portable", ""), ("neon", "asimd aes pmull")];

/// The tiers of x86-64, the narrowest first.
const X86_64: [Needs; 4] = [
    ("portable", ""),
    ("avx2", "aes pclmulqdq avx2 bmi2"),
    ("vaes256", "vaes vpclmulqdq"),
    ("avx512", "avx512f avx512bw avx512vl avx512dq avx512vbmi gfni"),
];

/// The tiers of this machine as `SIVKA_REQUIRE_TIERS` wants them, or `None` where
/// the operating system does not say (anything but Linux on x86-64 and AArch64).
pub(crate) fn required_tiers() -> Option<String> {
    let (needs, key): (&[Needs], &str) = if !cfg!(target_os = "linux") {
        return None;
    } else if cfg!(target_arch = "x86_64") {
        (&X86_64, "flags")
    } else if cfg!(target_arch = "aarch64") {
        (&AARCH64, "Features")
    } else {
        return None;
    };
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let flags = info.lines().find(|line| line.starts_with(key))?;
    Some(tiers_of(needs, flags).join(","))
}

/// A tier is there when its own needs and those of every narrower tier are met.
fn tiers_of(needs: &[Needs], flags: &str) -> Vec<&'static str> {
    let has = |flag: &str| flags.split_whitespace().any(|word| word == flag);
    let met = needs.iter().take_while(|(_, needs)| needs.split_whitespace().all(has));
    met.map(|(tier, _)| *tier).collect()
}

#[cfg(test)]
mod tests {
    use super::{AARCH64, X86_64, tiers_of};

    #[test]
    fn flags_give_tiers() {
        let of = |flags: &str| tiers_of(&X86_64, flags).join(",");
        let haswell = "flags : sse4_2 aes pclmulqdq avx avx2 bmi1 bmi2";
        let wide = "avx512f avx512dq avx512bw avx512vl";
        assert_eq!(of("flags : sse4_2 aes pclmulqdq"), "portable");
        assert_eq!(of(haswell), "portable,avx2");
        assert_eq!(of(&format!("{haswell} {wide}")), "portable,avx2");
        let alder_lake = format!("{haswell} vaes vpclmulqdq gfni");
        assert_eq!(of(&alder_lake), "portable,avx2,vaes256");
        let ice_lake = format!("{alder_lake} {wide} avx512vbmi");
        assert_eq!(of(&ice_lake), "portable,avx2,vaes256,avx512");

        let of = |flags: &str| tiers_of(&AARCH64, flags).join(",");
        // A Raspberry Pi 4, and a Graviton 2.
        assert_eq!(of("Features : fp asimd evtstrm crc32 cpuid"), "portable");
        assert_eq!(of("Features : fp asimd aes pmull sha2 crc32"), "portable,neon");
    }
}
