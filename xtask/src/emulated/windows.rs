//! What Wine needs, and the command there.

use crate::files::{empty_folder, read, write};
use crate::process::{Failure, cargo, locked, program, project_root, succeed};
use crate::programs::Program;
use std::path::Path;
use std::process::Command;

pub(super) const COMPILER: &str = "x86_64-w64-mingw32-gcc";
pub(super) const TARGET: &str = "x86_64-pc-windows-gnu";

/// The folder of settings of a program in Wine is not the user's.
pub(super) fn set(command: &mut Command) {
    command.env("WINEPREFIX", project_root().join("target/wine"));
    command.env("WINEDEBUG", "-all");
}

/// Puts a library that Wine 8 lacks beside the programs.
pub(super) fn prepare(programs: &[Program]) -> Result<(), Failure> {
    let mut folders: Vec<&Path> = programs.iter().filter_map(|p| p.path.parent()).collect();
    folders.dedup();
    folders.iter().try_for_each(|folder| library(folder))
}

fn library(folder: &Path) -> Result<(), Failure> {
    let mut command = program(COMPILER, &["-shared", "-O2", "-o"]);
    command.arg(folder.join("bcryptprimitives.dll"));
    succeed(command.args(["xtask/src/emulated/bcryptprimitives.c", "-ladvapi32"]))
}

/// Makes a key, seals a file, and opens it, as a user of the command does.
pub(super) fn seal() -> Result<(), Failure> {
    let folder = empty_folder(&project_root().join("target/wine-seal"))?;
    let mut command = cargo(&["build", "--package", "sivka-cli", "--target", TARGET]);
    command.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", COMPILER);
    succeed(command.args(locked()))?;
    let built = project_root().join("target").join(TARGET).join("debug");
    library(&built)?;
    let plaintext: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
    write(&folder.join("plaintext"), &plaintext)?;
    for arguments in [
        "keygen -o key",
        "seal --key key plaintext",
        "verify --key key plaintext.sivka",
        "open --key key plaintext.sivka -o opened",
    ] {
        let mut command = program("wine", &[]);
        set(&mut command);
        command
            .arg(built.join("sivka.exe"))
            .args(arguments.split(' '));
        succeed(command.current_dir(&folder))?;
    }
    match read(&folder.join("opened"))? == plaintext {
        true => Ok(()),
        false => Err(Failure::new("what was opened is not what was sealed")),
    }
}
