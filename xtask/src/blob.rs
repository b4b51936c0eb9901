//! `cargo xtask blob`: the machine code of the Go package, for Go's assembler.
//!
//! Go programs are built without a C compiler. So `bindings/go/blob` is compiled and linked here,
//! to one piece for each family of algorithms and each architecture, and its bytes are written as a
//! function of Go's. Another function for each entry calls into it. Git ignores the output. Without
//! it, the package builds in plain Go.

mod assembler;
mod build;
mod checks;
mod families;
mod forbidden;

pub(crate) use build::{STATELESS, target};

use families::{FAMILIES, Family};

use crate::files::{empty_folder, hex, in_tree, read, read_text, write, write_if_new};
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
    /// Relocations that the linker may resolve: distances, which are the same wherever the code
    /// lies.
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
    // R_X86_64_PC32, PLT32, and GOTPCRELX that needed no table.
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

/// On AArch64 only the operating system knows the features.
fn has_code(family: &Family, architecture: &Architecture) -> bool {
    architecture.go == "amd64" || family.feature != "cpu"
}

/// A file of a blob: the assembler's, or Go's.
fn file(family: &Family, architecture: &Architecture, kind: &str) -> PathBuf {
    let name = format!("blob_{}_{}.{kind}", family.file_name(), architecture.go);
    project_root().join("bindings/go/internal/machine").join(name)
}

fn files_for(architecture: &Architecture) -> Vec<PathBuf> {
    let of = |family| {
        let code = has_code(family, architecture).then(|| file(family, architecture, "s"));
        code.into_iter().chain([file(family, architecture, "go")])
    };
    FAMILIES.iter().flat_map(of).collect()
}

/// Others ask at the same time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Makes the machine code in this tree, for this machine or for all, unless it is there and nothing
/// that decides it has changed.
pub(crate) fn ensure(for_all: bool) -> Result<(), Failure> {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let here = usize::from(cfg!(target_arch = "aarch64"));
    let wanted = if for_all { 0..=1 } else { here..=here };
    let sources = sources()?;
    for architecture in &ARCHITECTURES[wanted] {
        let stamp = target().join(format!("stamp-{}", architecture.go));
        let files = files_for(architecture);
        let made = |files| Ok(format!("{sources} {}", hash(files)?));
        let are_there = files.iter().all(|path| path.exists());
        if !are_there || read_text(&stamp).ok() != Some(made(files.clone())?) {
            make(&[architecture], &target())?;
            write(&stamp, made(files)?)?;
        }
    }
    Ok(())
}

/// Makes the machine code once more, elsewhere and from nothing: it is the same.
pub(crate) fn twice() -> Result<(), Failure> {
    ensure(true)?;
    let files = || ARCHITECTURES.into_iter().flat_map(files_for).collect();
    let first = hash(files())?;
    let again = empty_folder(&project_root().join("target/blob-again"))?;
    make(&ARCHITECTURES, &again)?;
    match hash(files())? == first {
        true => Ok(()),
        false => Err(Failure::new("two builds of one source gave two machine codes")),
    }
}

/// Inputs of the machine code: sources, versions of other crates, and the compiler.
fn sources() -> Result<String, Failure> {
    const PARTS: &str =
        "Cargo.toml Cargo.lock core/Cargo.toml core/src/ bindings/go/blob/ xtask/src/blob";
    let decides = |name: &String| PARTS.split(' ').any(|part| name.starts_with(part));
    let names = in_tree()?.into_iter().filter(decides);
    let hash = hash(names.map(|name| project_root().join(name)).collect())?;
    let compiler = capture(&mut program("rustc", &["--version", "--verbose"]))?;
    Ok(format!("{}{hash}", compiler.replace('\n', " ")))
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

/// Makes machine code. Each piece takes one CPU and a folder of its own below `target`: as many are
/// made at once as there are CPUs.
fn make(architectures: &[&'static Architecture], target: &Path) -> Result<(), Failure> {
    let of_family = |family| architectures.iter().map(move |one| (family, *one));
    let waiting = Mutex::new(FAMILIES.iter().flat_map(of_family));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some((family, architecture)) = next() {
            make_one(target, family, architecture)?;
        }
        Ok(())
    };
    let count = thread::available_parallelism().map_or(1, usize::from);
    beside(vec![work; count]).into_iter().collect()
}

/// Builds a piece, checks it, and writes its files.
fn make_one(target: &Path, family: &Family, architecture: &Architecture) -> Result<(), Failure> {
    let calls = file(family, architecture, "go");
    if !has_code(family, architecture) {
        return write_if_new(&calls, assembler::calls(family, false));
    }
    let image = build::image(target, family, architecture)?;
    checks::hold(family, architecture, &image)?;
    let code = assembler::code(family, architecture, &image)?;
    write_if_new(&file(family, architecture, "s"), code)?;
    write_if_new(&calls, assembler::calls(family, true))?;
    let size = image.bytes.len();
    println!("{} for {}: {size} bytes", family.feature, architecture.go);
    Ok(())
}
