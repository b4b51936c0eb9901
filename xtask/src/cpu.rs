//! Which tiers this machine must offer, by the operating system's word.
//!
//! The library reads CPUID itself; here the answer is the flags that Linux
//! prints, so that a mistake in the one is not repeated in the other.

use std::fs;

/// What each tier asks for, in Linux's names, the narrowest tier first.
const NEEDS: [(&str, &[&str]); 4] = [
    ("portable", &[]),
    ("avx2", &["aes", "pclmulqdq", "avx2", "bmi2"]),
    ("vaes256", &["vaes", "vpclmulqdq"]),
    (
        "avx512",
        &[
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512dq",
            "avx512vbmi",
            "gfni",
        ],
    ),
];

/// The tiers of this machine as `SIVKA_REQUIRE_TIERS` wants them, or `None` where
/// the operating system does not say (anything but Linux on x86-64).
pub(crate) fn required_tiers() -> Option<String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return None;
    }
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let flags = info.lines().find(|line| line.starts_with("flags"))?;
    Some(tiers_of(flags).join(","))
}

/// A tier is there when its own needs and those of every narrower tier are met.
fn tiers_of(flags: &str) -> Vec<&'static str> {
    let has = |flag: &&str| flags.split_whitespace().any(|word| word == *flag);
    let met = NEEDS.iter().take_while(|(_, needs)| needs.iter().all(has));
    met.map(|(tier, _)| *tier).collect()
}

#[cfg(test)]
mod tests {
    use super::tiers_of;

    #[test]
    fn flags_give_tiers() {
        let haswell = "flags : sse4_2 aes pclmulqdq avx avx2 bmi1 bmi2";
        let cascade_lake = format!("{haswell} avx512f avx512dq avx512bw avx512vl");
        let alder_lake = format!("{haswell} vaes vpclmulqdq gfni");
        let ice_lake = format!("{alder_lake} avx512f avx512dq avx512bw avx512vl avx512vbmi");
        assert_eq!(tiers_of("flags : sse4_2 aes pclmulqdq"), ["portable"]);
        assert_eq!(tiers_of(haswell), ["portable", "avx2"]);
        assert_eq!(tiers_of(&cascade_lake), ["portable", "avx2"]);
        assert_eq!(tiers_of(&alder_lake), ["portable", "avx2", "vaes256"]);
        assert_eq!(
            tiers_of(&ice_lake),
            ["portable", "avx2", "vaes256", "avx512"]
        );
    }
}
