//! What Wine needs, and the command there.

use crate::process::{Failure, cargo, locked, program, project_root, succeed};
use crate::programs::Program;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) const COMPILER: &str = "x86_64-w64-mingw32-gcc";
const TARGET: &str = "x86_64-pc-windows-gnu";

/// A program in Wine, whose folder of settings is not the user's.
pub(super) fn in_wine(mut command: Command) -> Command {
    command
        .env("WINEPREFIX", project_root().join("target/wine"))
        .env("WINEDEBUG", "-all");
    command
}

/// Puts a library that Wine 8 lacks beside the programs.
pub(super) fn prepare(programs: &[Program]) -> Result<(), Failure> {
    let mut folders: Vec<&Path> = programs.iter().filter_map(|p| p.path.parent()).collect();
    folders.dedup();
    folders.iter().try_for_each(|folder| library(folder))
}

fn library(folder: &Path) -> Result<(), Failure> {
    let source = "xtask/src/emulated/bcryptprimitives.c";
    let library = folder.join("bcryptprimitives.dll");
    let mut command = program(COMPILER, &["-shared", "-O2", "-o"]);
    succeed(command.arg(library).args([source, "-ladvapi32"]))
}

/// Makes a key, seals a file, and opens it, as a user of the command does.
pub(super) fn seal() -> Result<(), Failure> {
    let folder = project_root().join("target/wine-seal");
    let written = |e: std::io::Error| Failure::new(e.to_string());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(written)?;
    }
    fs::create_dir(&folder).map_err(written)?;
    let mut command = cargo(&["build", "--package", "sivka-cli", "--target", TARGET]);
    command.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", COMPILER);
    succeed(command.args(locked()))?;
    let built: PathBuf = project_root().join("target").join(TARGET).join("debug");
    library(&built)?;
    let plaintext: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
    fs::write(folder.join("plaintext"), &plaintext).map_err(written)?;
    for arguments in [
        &["keygen", "-o", "key"][..],
        &["seal", "--key", "key", "plaintext"],
        &["verify", "--key", "key", "plaintext.sivka"],
        &["open", "--key", "key", "plaintext.sivka", "-o", "opened"],
    ] {
        let mut command = in_wine(program("wine", &[]));
        command.arg(built.join("sivka.exe")).args(arguments);
        succeed(command.current_dir(&folder))?;
    }
    if fs::read(folder.join("opened")).map_err(written)? == plaintext {
        Ok(())
    } else {
        Err(Failure::new("what was opened is not what was sealed"))
    }
}
