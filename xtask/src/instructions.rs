//! `cargo xtask instructions`: no function of a tier has an instruction that this tier's CPUs
//! may lack. An emulated CPU shows it of what runs there; this reads every path.

use crate::leaks::{self, Build};
use crate::process::{Failure, fails_saying, succeed};

/// Reads the program that is watched for leaks; and, as a control, reads `avx512` as if it were
/// `avx2`, in which instructions must be found.
pub(crate) fn of_tiers() -> Result<(), Failure> {
    let path = Build::Marked.program()?;
    succeed(&mut leaks::at(&path, "portable", &["instructions", &path]))?;
    let words = ["instructions", &path, "avx512", "avx2"];
    let mut control = leaks::at(&path, "portable", &words);
    fails_saying(&mut control, |said| said.contains("AVX512"))
}
