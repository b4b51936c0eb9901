//! `cargo xtask minimal-versions`: what ships builds with the oldest version of each
//! dependency that its manifest allows.

use crate::process::{Failure, cargo, succeed};

/// The direct ones: what comes after them is theirs to be right about. The crates that are
/// there for us alone, and what tests depend on, have no say.
pub(crate) fn run() -> Result<(), Failure> {
    succeed(&mut cargo(&[
        "minimal-versions",
        "check",
        "--direct",
        "--workspace",
        "--ignore-private",
        "--all-features",
    ]))
}
