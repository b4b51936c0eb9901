//! The environment variable `SIVKA_REQUIRE_TIERS` of a test run.

/// The names of all tiers, the narrowest first within one architecture.
pub const KNOWN: [&str; 5] = ["portable", "avx2", "vaes256", "avx512", "neon"];

/// Checks that every tier of the comma-separated list `required` is available.
///
/// # Errors
///
/// If a listed tier is missing on this machine, or if no tier has that name.
pub fn check_required(required: &str, available: &[&str]) -> Result<(), String> {
    for name in required.split(',').map(str::trim) {
        if !KNOWN.contains(&name) {
            return Err(format!("SIVKA_REQUIRE_TIERS: {name:?} is no tier; tiers are {KNOWN:?}"));
        }
        if !available.contains(&name) {
            return Err(format!(
                "SIVKA_REQUIRE_TIERS: this machine lacks {name:?}; it has {available:?}"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_required;

    #[test]
    fn missing_and_unknown_tiers_are_failures() {
        let available = ["portable", "avx2"];
        assert_eq!(check_required("portable, avx2", &available), Ok(()));
        assert!(check_required("portable,avx512", &available).unwrap_err().contains("lacks"));
        assert!(check_required("portable,avx1024", &available).unwrap_err().contains("no tier"));
        assert!(check_required("", &available).unwrap_err().contains("no tier"));
    }
}
