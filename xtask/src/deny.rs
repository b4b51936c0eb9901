//! `cargo xtask deny`: the licences and sources of dependencies, which change with these files
//! only. A record of their hashes says for which this last held; CI compares it.

use crate::files::{read, read_text, write};
use crate::process::{Failure, cargo, project_root, succeed};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

const FILES: [&str; 2] = ["Cargo.lock", "deny.toml"];
const RECORD: &str = "evidence/record/deny.txt";

/// Asks cargo-deny, and writes the record. Advisories are in a repository, not in the registry:
/// they are for a run with a network.
pub(crate) fn run() -> Result<(), Failure> {
    let command = [
        "deny",
        "--all-features",
        "check",
        "licenses",
        "bans",
        "sources",
    ];
    succeed(&mut cargo(&command))?;
    write(&project_root().join(RECORD), hashes()?)
}

pub(crate) fn check() -> Result<(), Failure> {
    if read_text(&project_root().join(RECORD))? == hashes()? {
        return Ok(());
    }
    let files = FILES.join(" or ");
    Err(Failure::new(format!(
        "{files} has changed: run `cargo xtask deny` (needs cargo-deny) and commit {RECORD}"
    )))
}

/// As `sha256sum` prints them.
fn hashes() -> Result<String, Failure> {
    let mut text = String::new();
    for name in FILES {
        for byte in Sha256::digest(read(&project_root().join(name))?) {
            let _ = write!(text, "{byte:02x}");
        }
        let _ = writeln!(text, "  {name}");
    }
    Ok(text)
}
