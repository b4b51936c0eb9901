//! Compiles and links a blob.

use super::Architecture;
use super::families::Family;
use crate::files::{about, read, write};
use crate::process::{Failure, capture, cargo, program, project_root, succeed};
use object::elf::SHT_RELA;
use object::read::elf::{ElfFile64, SectionHeader as _};
use object::{Endianness, Object as _, ObjectSection as _};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The linked piece.
pub(super) struct Image {
    /// Code, then constants, from address zero on.
    pub(super) bytes: Vec<u8>,
    /// The file, and its content.
    pub(super) path: PathBuf,
    file: Vec<u8>,
}

pub(super) type Parsed<'f> = ElfFile64<'f, Endianness>;

impl Image {
    pub(super) fn elf(&self) -> Result<Parsed<'_>, Failure> {
        parsed(&self.file)
    }
}

fn parsed(file: &[u8]) -> Result<Parsed<'_>, Failure> {
    ElfFile64::parse(file).map_err(|e| Failure::new(format!("a blob: {e}")))
}

/// The sections of a blob, in this order.
pub(super) const PARTS: [&str; 2] = [".text", ".rodata"];

const CRATE: &str = "bindings/go/blob";

/// Compiler options for a core without state.
pub(crate) const STATELESS: &str = "sivka_stateless";

/// Builds the blob of a family.
pub(super) fn image(
    target: &Path,
    family: &Family,
    architecture: &Architecture,
) -> Result<Image, Failure> {
    let archive = compile(target, family, architecture)?;
    let folder = archive.with_file_name("linked");
    fs::create_dir_all(&folder).map_err(|e| about(&folder, &e))?;
    let [object, path] = ["blob.o", "blob.elf"].map(|name| folder.join(name));
    // Into one object first, in which calls through the table of addresses can be seen and
    // marked. The linker then makes plain calls of them.
    let mut command = linker(family)?;
    succeed(command.arg("-r").arg(&archive).args(output(&object)))?;
    mark_calls(&object)?;
    let script = project_root().join(CRATE).join("blob.ld");
    let mut command = linker(family)?;
    command.args(["--emit-relocs", "-static", "-T"]).arg(script);
    succeed(command.arg(&object).args(output(&path)))?;
    let (file, mut bytes) = (read(&path)?, Vec::new());
    let elf = parsed(&file)?;
    for section in PARTS.iter().filter_map(|name| elf.section_by_name(name)) {
        let part = section.data().map_err(|e| Failure::new(format!("a blob: {e}")))?;
        bytes.resize(section.address() as usize, 0);
        bytes.extend(part);
    }
    Ok(Image { bytes, path, file })
}

fn output(path: &Path) -> [&Path; 2] {
    [Path::new("-o"), path]
}

/// Where Cargo builds a core without state, and nothing else.
pub(crate) fn target() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| project_root().join("target"), PathBuf::from);
    target.join("blob")
}

/// The archive that Cargo makes of the crate. It is the same wherever the project lies, because
/// Cargo names the crates of a workspace by where they are in it.
fn compile(
    target: &Path,
    family: &Family,
    architecture: &Architecture,
) -> Result<PathBuf, Failure> {
    // Cargo builds one thing at a time in a folder.
    let target = target.join(format!("{}-{}", family.feature, architecture.go));
    let mut command = cargo(&["rustc", "--profile", "blob", "--locked"]);
    command.args(["--package", "sivka-go-blob", "--crate-type", "staticlib"]);
    command.args(["--features", family.feature]);
    command.args(["--target", architecture.target]);
    command.arg("--target-dir").arg(&target);
    let flags = format!("--cfg {STATELESS} {}", architecture.flags);
    command.env_remove("CARGO_ENCODED_RUSTFLAGS");
    succeed(command.env("RUSTFLAGS", flags))?;
    let built = target.join(architecture.target).join("blob");
    Ok(built.join("libsivka_go_blob.a"))
}

/// The compiler's own linker, told which functions are wanted.
fn linker(family: &Family) -> Result<Command, Failure> {
    let mut command = tool("rust-lld")?;
    command.args(["-flavor", "gnu", "--gc-sections", "--fatal-warnings"]);
    for (_, entry) in family.entries() {
        let symbol = family.symbol(entry);
        // The linker wants one of them to be the first.
        command.args(["-u", &symbol, "-e", &symbol]);
    }
    Ok(command)
}

/// A tool that comes with the compiler, or with its component `llvm-tools`.
pub(crate) fn tool(name: &str) -> Result<Command, Failure> {
    let sysroot = capture(&mut program("rustc", &["--print", "sysroot"]))?;
    let host = capture(&mut program("rustc", &["--print", "host-tuple"]))?;
    let folder = format!("lib/rustlib/{}/bin", host.trim());
    let path = Path::new(sysroot.trim()).join(folder).join(name);
    if path.exists() {
        Ok(program(&path.display().to_string(), &[]))
    } else {
        Err(Failure::new(format!("{name} is missing (rustup component add llvm-tools)")))
    }
}

/// Marks the calls of memory functions, which the compiler makes through a table of addresses, so
/// that the linker may make them direct. The System V ABI, AMD64 supplement, B.2, defines the mark:
/// the linker looks at the instruction, and keeps the table for others.
fn mark_calls(object: &Path) -> Result<(), Failure> {
    const GOTPCREL: u32 = 9;
    const GOTPCRELX: u32 = 41;
    let file = read(object)?;
    let (mut marked, elf) = (file.clone(), parsed(&file)?);
    for section in elf.sections() {
        let header: &object::elf::SectionHeader64<_> = section.elf_section_header();
        let (Some((start, len)), SHT_RELA) = (section.file_range(), header.sh_type(elf.endian()))
        else {
            continue;
        };
        // Each is an offset, its kind in the lower half of the next word, and an addend.
        for entry in marked[start as usize..(start + len) as usize].chunks_exact_mut(24) {
            if entry[8..12] == GOTPCREL.to_le_bytes() {
                entry[8..12].copy_from_slice(&GOTPCRELX.to_le_bytes());
            }
        }
    }
    write(object, marked)
}
