//! Commands that are little more than a call of Cargo.

use crate::files::{hex, read, read_text, write};
use crate::process::{
    Failure, Tally, WORKSPACE, cargo, exists, locked, program, project_root, run_tests, succeed,
};
use sha2::{Digest, Sha256};

/// `cargo xtask interface`: runs the test that compares the C header with its crate, and writes it.
pub(crate) fn interface() -> Result<(), Failure> {
    let mut command = cargo(&["test", "-p", "sivka-ffi", "--test", "interface"]);
    succeed(command.args(locked()).env("SIVKA_WRITE_INTERFACE", "yes"))
}

/// `cargo xtask report`: measures what `docs/performance.md` shows, and writes the page; or, from
/// the records, `--page` writes it and `--check` compares it.
pub(crate) fn report(words: &[&str]) -> Result<(), Failure> {
    succeed(program("python3", &["-B", "xtask/report.py"]).args(words))
}

/// `cargo xtask reference`: a reader and a writer in Python, made from the specifications alone,
/// make the vectors again, and open and seal the same files as `sivka`.
pub(crate) fn reference() -> Tally {
    Tally::of("reference", |tally| {
        if !exists("python3") {
            return Err(Failure::new("python3 is missing"));
        }
        // Cargo builds the command for a test of it, and has done so for all tests of the
        // workspace: alone it has other features, and `core` would be built anew.
        let command = ["test", "--test", "transcripts", "--no-run"];
        succeed(cargo(&command).args(WORKSPACE).args(locked()))?;
        let mut check = program("python3", &["-B", "docs/spec/reference/check.py"]);
        let tests = run_tests("docs/spec/reference", check.arg("target/debug/sivka"));
        tally.append("", tests);
        Ok(())
    })
}

/// The files by which licences and sources of dependencies change, and the record of their hashes,
/// which says for which this last held.
const DENIED: [&str; 2] = ["Cargo.lock", "deny.toml"];
const RECORD: &str = "evidence/record/deny.txt";

/// `cargo xtask deny`: asks cargo-deny, and writes the record. Advisories are in a repository, not
/// in the registry: they are for a run with a network.
pub(crate) fn deny() -> Result<(), Failure> {
    let words = "deny --all-features check licenses bans sources";
    succeed(&mut cargo(&words.split(' ').collect::<Vec<_>>()))?;
    write(&project_root().join(RECORD), hashes()?)
}

/// CI's part of it: compares the record.
pub(crate) fn is_recorded() -> Result<(), Failure> {
    if read_text(&project_root().join(RECORD))? == hashes()? {
        return Ok(());
    }
    let files = DENIED.join(" or ");
    Err(Failure::new(format!(
        "{files} has changed: run `cargo xtask deny` (needs cargo-deny) and commit {RECORD}"
    )))
}

/// As `sha256sum` prints them.
fn hashes() -> Result<String, Failure> {
    let hash = |name: &str| Ok(hex(&Sha256::digest(read(&project_root().join(name))?)));
    let lines = DENIED.iter().map(|name| Ok(format!("{}  {name}\n", hash(name)?)));
    lines.collect()
}
