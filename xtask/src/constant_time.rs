//! `cargo xtask ctgrind`: no secret decides a branch or an index.
//!
//! `core/tests/constant_time.rs` marks keys and plaintexts as undefined memory;
//! valgrind then reports every branch and every address that depends on them.
//! It knows no VAES and no AVX-512, so the tiers it can judge are `portable` and
//! `avx2`; SECURITY.md says how the others are argued.

use crate::process::{Failure, Tally, capture, cargo, exists, locked, program, project_root};
use std::process::Command;

/// The exit code that valgrind is told to answer a finding with.
const FOUND: i32 = 9;

/// The tiers that valgrind can execute.
const TIERS: [&str; 2] = ["portable", "avx2"];

/// An ignored test that branches on a secret. Valgrind must report it, or the
/// silence about all the others means nothing.
const CONTROL: &str = "control_branch_on_a_secret";

/// Runs the check on every tier that valgrind can execute, each with its control.
pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    match build() {
        Ok(path) => {
            for tier in TIERS {
                tally.add_check(&format!("constant time, {tier}"), &silent(&path, tier));
                tally.add_check(
                    &format!("constant time, {tier}: control"),
                    &loud(&path, tier),
                );
            }
        }
        Err(failure) => tally.add_check("constant time", &Err(failure)),
    }
    tally
}

fn build() -> Result<String, Failure> {
    if !exists("valgrind") {
        return Err(Failure::new("valgrind is missing (Debian: valgrind)"));
    }
    let mut command = cargo(&[
        "test",
        "-p",
        "sivka",
        "--features",
        "__ctgrind,__force_tier",
    ]);
    command.args([
        "--test",
        "constant_time",
        "--no-run",
        "--message-format",
        "json",
    ]);
    let messages = capture(command.args(locked()))?;
    let executable = messages
        .lines()
        .find_map(|line| line.split_once("\"executable\":\""));
    let path = executable.and_then(|(_, rest)| rest.split('"').next());
    path.map(str::to_owned)
        .ok_or_else(|| Failure::new("cargo built no test program"))
}

fn valgrind(path: &str, tier: &str) -> Command {
    let mut command = program("valgrind", &["--quiet", "--error-limit=no"]);
    command
        .arg(format!("--error-exitcode={FOUND}"))
        .arg(path)
        .arg("--test-threads=1");
    command
        .env("SIVKA_TIER", tier)
        .env("SIVKA_REQUIRE_TIERS", tier);
    command.current_dir(project_root().join("core"));
    command
}

/// Every test passes, at least one ran, and valgrind has nothing to say.
fn silent(path: &str, tier: &str) -> Result<(), Failure> {
    let output = capture(&mut valgrind(path, tier))?;
    print!("{output}");
    let result = output
        .lines()
        .find_map(|line| line.strip_prefix("test result: ok. "));
    match result.and_then(|result| result.split(' ').next()?.parse::<u64>().ok()) {
        Some(passed) if passed > 0 => Ok(()),
        _ => Err(Failure::new("no test ran under valgrind")),
    }
}

/// Valgrind reports the control, and it is valgrind that does.
fn loud(path: &str, tier: &str) -> Result<(), Failure> {
    let mut command = valgrind(path, tier);
    command.args(["--ignored", "--exact", CONTROL]);
    let output = command.output().map_err(|e| Failure::new(e.to_string()))?;
    let ran = String::from_utf8_lossy(&output.stdout).contains(&format!("{CONTROL} ... ok"));
    if ran && output.status.code() == Some(FOUND) {
        println!("valgrind reports the branch on a secret in `{CONTROL}`, as it has to");
        Ok(())
    } else {
        Err(Failure::new(format!(
            "valgrind did not report `{CONTROL}` (it ran: {ran})"
        )))
    }
}
