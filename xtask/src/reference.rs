//! `cargo xtask reference`: the specifications say enough. A reader and a writer in Python, made
//! from them alone, give what the vectors have, and open and seal what `sivka` does.

use crate::process::{
    Failure, Tally, WORKSPACE, cargo, exists, locked, program, run_lines, succeed,
};

/// Runs `docs/spec/reference/check.py`, which counts its checks.
pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    if let Err(failure) = checked(&mut tally) {
        tally.add_check("reference", &Err(failure));
    }
    tally
}

fn checked(tally: &mut Tally) -> Result<(), Failure> {
    if !exists("python3") {
        return Err(Failure::new("python3 is missing"));
    }
    // Cargo builds the command for a test of it, and has done so for all tests of the
    // workspace: alone it has other features, and `core` would be built anew.
    let command = ["test", "--test", "transcripts", "--no-run"];
    succeed(cargo(&command).args(WORKSPACE).args(locked()))?;
    let mut last = String::new();
    let mut check = program("python3", &["-B", "docs/spec/reference/check.py"]);
    check.arg("target/debug/sivka");
    let success = run_lines(&mut check, |line| last = line.to_owned());
    let counts = last.split_once(" passed, ").and_then(|(passed, failed)| {
        let failed = failed.strip_suffix(" failed")?;
        Some((passed.parse().ok()?, failed.parse().ok()?))
    });
    let (passed, failed) = counts.ok_or_else(|| Failure::new("check.py did not count"))?;
    tally.add("docs/spec/reference", passed, failed);
    if success && passed > 0 {
        Ok(())
    } else {
        Err(Failure::new("the reference and `sivka` differ"))
    }
}
