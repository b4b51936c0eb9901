//! `cargo xtask blob`: the machine code of the Go package, as Go's assembler takes it.
//!
//! Go programs are built without a C compiler. So `bindings/go/blob` is compiled and linked
//! here, to one piece for each family of algorithms and each architecture, and its bytes are
//! written out as a function of Go's. Another function for each entry calls into it. Git ignores
//! what is written. Where it is missing, the package builds in plain Go.

mod assembler;
mod build;
mod checks;
mod families;
mod forbidden;

pub(crate) use build::{STATELESS, target};

use families::{FAMILIES, Family};

use crate::files::{empty_folder, hex, listed, read, read_text, write, write_if_new};
use crate::process::{Failure, beside, capture, program, project_root};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// An architecture as Go and as Rust name it.
struct Architecture {
    go: &'static str,
    /// No code of its operating system is linked.
    target: &'static str,
    flags: &'static str,
    /// What the linker may fill in: distances, which are the same wherever the code lies.
    distances: &'static [u32],
    /// Why an instruction must not be there, in the blob of a family.
    forbidden: fn(feature: &str, instruction: &str) -> Option<&'static str>,
    /// A function of a name that calls an entry with so much stack. The entry lies so far into
    /// the function of the blob.
    call: fn(&str, u32, usize) -> String,
    /// The first instructions of the function of the blob.
    start: &'static str,
    /// How bytes are written: so many, after this word.
    data: (&'static str, usize),
}

/// The compiler knows no way to say that a call is not by way of a table of addresses:
/// `build.rs` undoes it.
const AMD64: Architecture = Architecture {
    go: "amd64",
    target: "x86_64-unknown-linux-gnu",
    flags: "-C relocation-model=pie -C no-redzone=yes -C force-unwind-tables=no",
    // R_X86_64_PC32, PLT32, and GOTPCRELX, of which no table was made.
    distances: &[2, 4, 41],
    forbidden: forbidden::on_amd64,
    call: assembler::call_on_amd64,
    start: "\tMOVQ BX, SP\n\tINT $3\n",
    data: ("QUAD", 8),
};

/// Go keeps its goroutine in x28. Some systems keep something of theirs in x18. The tiny code
/// model has no address whose distance depends on where a page begins.
const ARM64: Architecture = Architecture {
    go: "arm64",
    target: "aarch64-unknown-linux-gnu",
    flags: "-C relocation-model=static -C code-model=tiny -C force-unwind-tables=no \
        -C llvm-args=-reserve-regs-for-regalloc=X18,X28",
    // R_AARCH64_PREL32, LD_PREL_LO19, ADR_PREL_LO21, TSTBR14, CONDBR19, JUMP26, CALL26.
    distances: &[261, 273, 274, 279, 280, 282, 283],
    forbidden: forbidden::on_arm64,
    call: assembler::call_on_arm64,
    start: "\tMOVD R0, RSP\n\tUNDEF\n",
    data: ("WORD", 4),
};

const ARCHITECTURES: [&Architecture; 2] = [&AMD64, &ARM64];

/// Of AArch64 only the operating system says what it has.
fn has_code(family: &Family, architecture: &Architecture) -> bool {
    architecture.go == "amd64" || family.feature != "cpu"
}

/// A file of a blob: the assembler's, or Go's.
fn file(root: &Path, family: &Family, architecture: &Architecture, kind: &str) -> PathBuf {
    let folder = root.join("bindings/go/internal/machine");
    folder.join(format!(
        "blob_{}_{}.{kind}",
        family.file_name(),
        architecture.go
    ))
}

fn files_for(root: &Path, architecture: &Architecture) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for family in &FAMILIES {
        if has_code(family, architecture) {
            all.push(file(root, family, architecture, "s"));
        }
        all.push(file(root, family, architecture, "go"));
    }
    all
}

fn all_files(root: &Path) -> Vec<PathBuf> {
    ARCHITECTURES
        .iter()
        .flat_map(|one| files_for(root, one))
        .collect()
}

/// Others ask at the same time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Makes the machine code in this tree, unless it is there and nothing that decides it has
/// changed.
pub(crate) fn ensure() -> Result<(), Failure> {
    ARCHITECTURES.iter().try_for_each(|one| ensure_for(one))
}

/// The same for this machine alone.
pub(crate) fn ensure_here() -> Result<(), Failure> {
    let here = if cfg!(target_arch = "aarch64") {
        &ARM64
    } else {
        &AMD64
    };
    ensure_for(here)
}

fn ensure_for(architecture: &'static Architecture) -> Result<(), Failure> {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let (root, target) = (project_root(), target());
    let stamp = target.join(format!("stamp-{}", architecture.go));
    let sources = sources_of(&root)?;
    let files = || files_for(&root, architecture);
    let made = |sources: &str| Ok(format!("{sources} {}", hash(files())?));
    let are_there = files().iter().all(|path| path.exists());
    if are_there && read_text(&stamp).ok() == Some(made(&sources)?) {
        return Ok(());
    }
    make_for(&[architecture], &root, &target)?;
    write(&stamp, made(&sources)?)
}

/// Makes the machine code once more, elsewhere and from nothing: it is the same.
pub(crate) fn twice() -> Result<(), Failure> {
    ensure()?;
    let (root, again) = (project_root(), project_root().join("target/blob-again"));
    let first = hash(all_files(&root))?;
    make_for(&ARCHITECTURES, &root, &empty_folder(&again)?)?;
    if hash(all_files(&root))? == first {
        return Ok(());
    }
    Err(Failure::new(
        "two builds of one source gave two machine codes",
    ))
}

/// What decides the machine code: sources, versions of others, and the compiler.
fn sources_of(root: &Path) -> Result<String, Failure> {
    let mut paths = Vec::new();
    for part in [
        "Cargo.toml",
        "Cargo.lock",
        "core/Cargo.toml",
        "core/src",
        "bindings/go/blob",
        "xtask/src/blob.rs",
        "xtask/src/blob",
    ] {
        add_files(&root.join(part), &mut paths)?;
    }
    let compiler = capture(&mut program("rustc", &["--version", "--verbose"]))?;
    Ok(format!("{}{}", compiler.replace('\n', " "), hash(paths)?))
}

fn add_files(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for path in listed(path)? {
        add_files(&path, files)?;
    }
    Ok(())
}

fn hash(paths: Vec<PathBuf>) -> Result<String, Failure> {
    let mut hash = Sha256::new();
    for path in paths {
        let bytes = read(&path)?;
        hash.update(format!("{} {} ", path.display(), bytes.len()));
        hash.update(bytes);
    }
    Ok(hex(&hash.finalize()))
}

/// Makes the machine code in a source tree. Each piece takes one CPU and a folder of its own
/// below `target`: as many are made at once as there are CPUs.
fn make_for(
    architectures: &[&'static Architecture],
    root: &Path,
    target: &Path,
) -> Result<(), Failure> {
    let of_family = |family| architectures.iter().map(move |one| (family, *one));
    let waiting = Mutex::new(FAMILIES.iter().flat_map(of_family));
    let next = || {
        waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .next()
    };
    let work = || {
        while let Some((family, architecture)) = next() {
            write_one(root, target, family, architecture)?;
        }
        Ok(())
    };
    let count = thread::available_parallelism().map_or(1, usize::from);
    beside(vec![work; count]).into_iter().collect()
}

/// Builds a piece, checks it, and writes its files.
fn write_one(
    root: &Path,
    target: &Path,
    family: &Family,
    architecture: &Architecture,
) -> Result<(), Failure> {
    let calls = file(root, family, architecture, "go");
    if !has_code(family, architecture) {
        return write_if_new(&calls, assembler::calls(family, false));
    }
    let image = build::image(root, target, family, architecture)?;
    checks::hold(family, architecture, &image)?;
    let code = file(root, family, architecture, "s");
    write_if_new(&code, assembler::code(family, architecture, &image)?)?;
    write_if_new(&calls, assembler::calls(family, true))?;
    let size = image.bytes.len();
    println!("{} for {}: {size} bytes", family.feature, architecture.go);
    Ok(())
}
