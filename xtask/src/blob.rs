//! `cargo xtask blob`: the machine code of the Go package, as Go's assembler takes it.
//!
//! Go programs are built without a C compiler. So `bindings/go/blob` is compiled and linked
//! here, to one piece for each family of algorithms and each architecture, and its bytes are
//! written out as a function of Go's. Another function for each entry calls into it.

mod assembler;
mod build;
mod checks;
mod elf;

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

/// A function of the machine code, and the one of Go that calls it.
struct Entry {
    name: &'static str,
    go: &'static str,
    /// Go's parameters, words all of them.
    parameters: &'static [&'static str],
    /// The stack that it is given, in bytes. A test paints it, and fails if two thirds of it
    /// are used.
    frame: u32,
}

/// Most calls.
const SHALLOW: u32 = 16 << 10;
/// What makes and ends a key, which overwrites what is left on the stack.
const MEDIUM: u32 = 20 << 10;
/// Known answers, of buffers for messages that reach every kernel.
const DEEP: u32 = 96 << 10;

const MESSAGE: &[&str] = &[
    "key", "nonce", "aad", "aadLen", "from", "to", "textLen", "tag",
];
const NEW: &[&str] = &["place", "key", "features", "tier"];
const WIPE: &[&str] = &["place"];

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

/// What the CPU has, and then what there is for it.
const FAMILIES: [Family; 2] = [
    Family {
        feature: "cpu",
        package: "internal/machine",
        entries: &[entry("features", "cpuFeatures", &[], SHALLOW)],
    },
    Family {
        feature: "gcm-siv",
        package: "internal/gcmsiv",
        entries: &[
            entry("known_answers", "knownAnswers", &["features", "tier"], DEEP),
            entry("new_128", "new128", NEW, MEDIUM),
            entry("wipe_128", "wipe128", WIPE, MEDIUM),
            entry("seal_128", "seal128", MESSAGE, SHALLOW),
            entry("open_128", "open128", MESSAGE, SHALLOW),
            entry("new_256", "new256", NEW, MEDIUM),
            entry("wipe_256", "wipe256", WIPE, MEDIUM),
            entry("seal_256", "seal256", MESSAGE, SHALLOW),
            entry("open_256", "open256", MESSAGE, SHALLOW),
        ],
    },
];

/// An architecture as Go and as Rust name it.
#[derive(PartialEq, Eq)]
pub(crate) struct Architecture {
    go: &'static str,
    /// No code of its operating system is linked.
    target: &'static str,
    flags: &'static str,
}

/// The compiler knows no way to say that a call is not by way of a table of addresses:
/// `build.rs` undoes it.
const AMD64: Architecture = Architecture {
    go: "amd64",
    target: "x86_64-unknown-linux-gnu",
    flags: "-C relocation-model=pie -C no-redzone=yes -C force-unwind-tables=no",
};

const ARCHITECTURES: [&Architecture; 1] = [&AMD64];

/// Writes the generated files, or compares them with what is there.
pub(crate) fn run(check: bool) -> Result<(), Failure> {
    let mut stale = Vec::new();
    for architecture in ARCHITECTURES {
        for family in &FAMILIES {
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
