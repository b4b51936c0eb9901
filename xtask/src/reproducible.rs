//! `cargo xtask reproducible`: what ships, built twice in two folders, has the same bytes.

use crate::process::{Failure, Tally, capture, cargo, program, project_root, succeed};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders whose paths have neither the same length nor the same end.
const FOLDERS: [&str; 2] = [
    "target/reproducible/one",
    "target/reproducible/the-other/tree",
];

/// What is compared, below `target/release`.
const ARTIFACTS: [&str; 3] = ["sivka", "libsivka_ffi.so", "libsivka_ffi.a"];

pub(crate) fn run() -> Tally {
    let mut tally = Tally::default();
    match built() {
        Ok([one, other]) => {
            for artifact in ARTIFACTS {
                let same = same(&one.join(artifact), &other.join(artifact));
                tally.add_check(&format!("reproducible: {artifact}"), &same);
            }
        }
        Err(failure) => tally.add_check("reproducible builds", &Err(failure)),
    }
    tally
}

/// Builds the last commit in both folders, without what was built before.
fn built() -> Result<[PathBuf; 2], Failure> {
    let mut results = FOLDERS.map(|folder| project_root().join(folder));
    for folder in &mut results {
        let failed = |e: std::io::Error| Failure::new(format!("{}: {e}", folder.display()));
        if folder.exists() {
            fs::remove_dir_all(&*folder).map_err(failed)?;
        }
        fs::create_dir_all(&*folder).map_err(failed)?;
        let archive = folder.join("sources.tar");
        let archive = archive.to_string_lossy();
        capture(&mut program(
            "git",
            &["archive", "--output", &archive, "HEAD"],
        ))?;
        succeed(program("tar", &["-xf", "sources.tar"]).current_dir(&*folder))?;
        let mut command = cargo(&[
            "build",
            "--release",
            "--locked",
            "-p",
            "sivka-cli",
            "-p",
            "sivka-ffi",
        ]);
        succeed(command.current_dir(&*folder).env_remove("CARGO_TARGET_DIR"))?;
        *folder = folder.join("target/release");
    }
    Ok(results)
}

fn same(one: &Path, other: &Path) -> Result<(), Failure> {
    let read =
        |path: &Path| fs::read(path).map_err(|e| Failure::new(format!("{}: {e}", path.display())));
    let (one_bytes, other_bytes) = (read(one)?, read(other)?);
    if one_bytes == other_bytes {
        println!("{}: {} bytes, the same", one.display(), one_bytes.len());
        return Ok(());
    }
    let mut pairs = one_bytes.iter().zip(&other_bytes);
    let at = pairs.position(|(a, b)| a != b).unwrap_or_default();
    let (one, other) = (one.display(), other.display());
    Err(Failure::new(format!(
        "{one} and {other} differ from byte {at} on"
    )))
}
