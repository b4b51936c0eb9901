//! `cargo xtask blob`: the machine code of the Go package, as Go's assembler takes it.
//!
//! Go programs are built without a C compiler. So `bindings/go/blob` is compiled and linked
//! here, to one piece for each family of algorithms and each architecture, and its bytes are
//! written out as a function of Go's. Another function for each entry calls into it.

mod assembler;
mod build;
mod checks;
mod elf;
mod forbidden;

pub(crate) use build::{STATELESS, target};

use crate::files::{about, write};
use crate::process::{Failure, project_root};
use std::fs;

/// Algorithms that a Go program links together, or not at all.
pub(crate) struct Family {
    /// Of `bindings/go/blob`.
    feature: &'static str,
    /// The folder in `bindings/go` of the Go package.
    package: &'static str,
    entries: &'static [Entry],
}

impl Family {
    /// The names of the functions of the machine code, in the order of the entries.
    fn symbols(&self) -> impl Iterator<Item = String> {
        let family = self.feature.replace('-', "_");
        let names = self.entries.iter().map(|entry| entry.name);
        names.map(move |name| format!("{family}_{name}"))
    }
}

/// A function of the machine code, and the one of Go that calls it.
struct Entry {
    /// After that of its family.
    name: &'static str,
    go: &'static str,
    /// Go's parameters, words all of them.
    parameters: &'static [&'static str],
    /// The stack that it is given, in bytes. A test paints it, and fails if two thirds of it
    /// are used.
    frame: u32,
}

/// Most calls.
const SHALLOW: u32 = 20 << 10;
/// What makes a key, and overwrites what that leaves on the stack; and calls with many strings
/// of associated data.
const MEDIUM: u32 = 24 << 10;
/// What makes keys that are larger on the portable tier.
const MAKING: u32 = 48 << 10;
/// Many messages, of which some are worked on at once.
const BROAD: u32 = 96 << 10;
/// Known answers, of buffers for messages that reach every kernel.
const DEEP: u32 = 112 << 10;

/// The address of what the others pass one after the other: the compiler of Go would put eight
/// words into registers, and a function between it and the assembler's onto the stack.
const AT: &[&str] = &["call"];
const NEW: &[&str] = &["place", "key", "features", "tier"];
const ASK: &[&str] = &["features", "tier"];
/// Of AES-SIV.
const LIST: &[&str] = &["key", "aads", "aadCount", "from", "to", "textLen", "tag"];
/// Of messages that are handed on some hundred at a time.
const BATCH: &[&str] = &["key", "slab"];
/// Of Kuznyechik and its modes.
const NEW_MODE: &[&str] = &["place", "key", "features", "tier", "iv", "sectionLen"];
const BYTES: &[&str] = &["key", "bytes", "bytesLen"];
/// Of keys that choose the length of their tags.
const NEW_TAGGED: &[&str] = &["place", "key", "features", "tier", "tagLen"];
const TAGGED: &[&str] = &[
    "key", "nonce", "aad", "aadLen", "from", "to", "textLen", "tag", "tagLen",
];

const fn entry(
    name: &'static str,
    go: &'static str,
    parameters: &'static [&'static str],
    frame: u32,
) -> Entry {
    Entry {
        name,
        go,
        parameters,
        frame,
    }
}

const GCM_SIV: &[Entry] = &[
    entry("known_answers", "knownAnswers", ASK, DEEP),
    entry("new", "newKey", NEW, MEDIUM),
    entry("seal", "seal", AT, SHALLOW),
    entry("open", "open", AT, SHALLOW),
    entry("seal_batch", "sealBatch", BATCH, BROAD),
    entry("open_batch", "openBatch", BATCH, BROAD),
];

/// What the CPU has, and then what there is for it.
const FAMILIES: [Family; 6] = [
    Family {
        feature: "cpu",
        package: "internal/machine",
        entries: &[entry("features", "cpuFeatures", &[], SHALLOW)],
    },
    Family {
        feature: "gcm-siv-128",
        package: "internal/gcmsiv128",
        entries: GCM_SIV,
    },
    Family {
        feature: "gcm-siv-256",
        package: "internal/gcmsiv256",
        entries: GCM_SIV,
    },
    Family {
        feature: "aes-siv",
        package: "internal/aessiv",
        entries: &[
            entry("known_answers", "knownAnswers", ASK, DEEP),
            entry("new_256", "new256", NEW, MEDIUM),
            entry("seal_256", "seal256", LIST, MEDIUM),
            entry("open_256", "open256", LIST, MEDIUM),
            entry("seal_batch_256", "sealBatch256", BATCH, BROAD),
            entry("open_batch_256", "openBatch256", BATCH, BROAD),
            entry("new_384", "new384", NEW, MEDIUM),
            entry("seal_384", "seal384", LIST, MEDIUM),
            entry("open_384", "open384", LIST, MEDIUM),
            entry("seal_batch_384", "sealBatch384", BATCH, BROAD),
            entry("open_batch_384", "openBatch384", BATCH, BROAD),
            entry("new_512", "new512", NEW, MEDIUM),
            entry("seal_512", "seal512", LIST, MEDIUM),
            entry("open_512", "open512", LIST, MEDIUM),
            entry("seal_batch_512", "sealBatch512", BATCH, BROAD),
            entry("open_batch_512", "openBatch512", BATCH, BROAD),
        ],
    },
    Family {
        feature: "chacha20-blake2b",
        package: "internal/chacha20blake2b",
        entries: &[
            entry("known_answers", "knownAnswers", ASK, DEEP),
            entry("new_short", "newShort", NEW_TAGGED, MEDIUM),
            entry("seal_short", "sealShort", TAGGED, SHALLOW),
            entry("open_short", "openShort", TAGGED, SHALLOW),
            entry("seal_batch_short", "sealBatchShort", BATCH, BROAD),
            entry("open_batch_short", "openBatchShort", BATCH, BROAD),
            entry("new_extended", "newExtended", NEW_TAGGED, MEDIUM),
            entry("seal_extended", "sealExtended", TAGGED, SHALLOW),
            entry("open_extended", "openExtended", TAGGED, SHALLOW),
            entry("seal_batch_extended", "sealBatchExtended", BATCH, BROAD),
            entry("open_batch_extended", "openBatchExtended", BATCH, BROAD),
            entry("new_siv", "newSIV", NEW_TAGGED, MEDIUM),
            entry("seal_siv", "sealSIV", TAGGED, SHALLOW),
            entry("open_siv", "openSIV", TAGGED, SHALLOW),
            entry("seal_batch_siv", "sealBatchSIV", BATCH, BROAD),
            entry("open_batch_siv", "openBatchSIV", BATCH, BROAD),
        ],
    },
    Family {
        feature: "kuznyechik",
        package: "kuznyechik",
        entries: &[
            entry("known_answers", "knownAnswers", ASK, DEEP),
            entry("new_blocks", "newBlocks", NEW_MODE, MAKING),
            entry("encrypt_blocks", "encryptBlocks", BYTES, MEDIUM),
            entry("decrypt_blocks", "decryptBlocks", BYTES, MEDIUM),
            entry("new_mgm", "newMGM", NEW_MODE, MAKING),
            entry("seal_mgm", "sealMGM", TAGGED, MEDIUM),
            entry("open_mgm", "openMGM", TAGGED, MEDIUM),
            entry("seal_batch_mgm", "sealBatchMGM", BATCH, BROAD),
            entry("open_batch_mgm", "openBatchMGM", BATCH, BROAD),
            entry("new_ctr", "newCTR", NEW_MODE, MAKING),
            entry("xor_ctr", "xorCTR", BYTES, MEDIUM),
            entry("new_acpkm", "newACPKM", NEW_MODE, MAKING),
            entry("xor_acpkm", "xorACPKM", BYTES, MAKING),
            entry("new_omac", "newOMAC", NEW_MODE, MAKING),
            entry("write_omac", "writeOMAC", BYTES, MEDIUM),
            entry("sum_omac", "sumOMAC", BYTES, MEDIUM),
            entry("reset_omac", "resetOMAC", BYTES, MEDIUM),
        ],
    },
];

/// An architecture as Go and as Rust name it.
pub(crate) struct Architecture {
    go: &'static str,
    /// No code of its operating system is linked.
    target: &'static str,
    flags: &'static str,
    /// What the linker may fill in: distances, which are the same wherever the code lies.
    distances: &'static [u32],
    /// Why an instruction must not be there, in the blob of a family.
    forbidden: fn(feature: &str, instruction: &str) -> Option<&'static str>,
    /// A function that calls an entry, which lies so far into the function of the blob.
    call: fn(&Entry, usize) -> String,
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
fn families_of(architecture: &Architecture) -> impl Iterator<Item = &'static Family> {
    let asks_cpu = architecture.go == "amd64";
    FAMILIES
        .iter()
        .filter(move |family| asks_cpu || family.feature != "cpu")
}

/// Writes the generated files, or compares them with what is there.
pub(crate) fn run(check: bool) -> Result<(), Failure> {
    let mut stale = Vec::new();
    for architecture in ARCHITECTURES {
        for family in families_of(architecture) {
            let image = build::image(family, architecture)?;
            checks::hold(family, architecture, &image)?;
            let folder = project_root().join("bindings/go").join(family.package);
            let code = folder.join(format!("blob_{}.s", architecture.go));
            let frames = folder.join(format!("frames_{}_test.go", architecture.go));
            let size = image.bytes.len();
            println!("{} for {}: {size} bytes", family.package, architecture.go);
            for (path, text) in [
                (code, assembler::code(family, architecture, &image)),
                (frames, assembler::frames(family)),
            ] {
                if !check {
                    fs::create_dir_all(&folder).map_err(|e| about(&folder, &e))?;
                    write(&path, &text)?;
                } else if fs::read_to_string(&path).ok() != Some(text) {
                    stale.push(path.display().to_string());
                }
            }
        }
    }
    if stale.is_empty() {
        Ok(())
    } else {
        let stale = stale.join(", ");
        Err(Failure::new(format!(
            "not what `cargo xtask blob` makes: {stale}"
        )))
    }
}
