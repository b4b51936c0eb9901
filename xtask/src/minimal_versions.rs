//! `cargo xtask minimal-versions`: what ships builds with the oldest version of each
//! dependency that its manifest allows.

use crate::process::{Failure, capture, cargo, program, project_root, succeed};
use std::fs;
use std::io;
use std::path::Path;

pub(crate) fn run() -> Result<(), Failure> {
    let copy = project_root().join("target/minimal-versions");
    let failed = |e: std::io::Error| Failure::new(format!("{}: {e}", copy.display()));
    fs::create_dir_all(&copy).map_err(failed)?;
    let archive = copy.join("sources.tar");
    let archive = archive.to_string_lossy();
    capture(&mut program(
        "git",
        &["archive", "--output", &archive, "HEAD"],
    ))?;
    succeed(program("tar", &["-xf", "sources.tar"]).current_dir(&copy))?;
    only_what_ships(&copy.join("Cargo.toml")).map_err(failed)?;
    // The direct ones: what comes after them is theirs to be right about.
    let mut update = cargo(&["update", "-Z", "direct-minimal-versions"]);
    // The option is unstable, what it writes is not.
    succeed(update.current_dir(&copy).env("RUSTC_BOOTSTRAP", "1"))?;
    let mut check = cargo(&["check", "--locked"]);
    for package in crate::sbom::SHIPPED {
        check.args(["-p", package]);
    }
    check.args(["--features", "sivka/aead,sivka/cipher"]);
    succeed(check.current_dir(&copy).env_remove("CARGO_TARGET_DIR"))
}

/// Leaves the crates that are there for us alone out of the workspace: what they depend on
/// would be at its oldest for those that ship, too. `oracle` stays, for their tests.
fn only_what_ships(manifest: &Path) -> io::Result<()> {
    let text = fs::read_to_string(manifest)?;
    let lines = text
        .lines()
        .map(|line| match line.strip_prefix("members = ") {
            Some(_) => r#"members = ["core", "file", "keyset", "arrow", "ffi", "cli", "oracle"]"#,
            None => line,
        });
    fs::write(manifest, lines.collect::<Vec<_>>().join("\n"))
}
