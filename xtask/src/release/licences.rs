//! The licences of what a program or library has in it beside our own code.

use super::platform::Platform;
use super::tools::Tools;
use crate::files::{listed, read, read_text};
use crate::process::{Failure, capture, cargo, program};
use crate::sbom;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What every artifact with compiled code carries.
pub(crate) struct Licences {
    /// By the package that is linked: `sivka-cli` or `sivka-ffi`.
    crates: BTreeMap<&'static str, String>,
    /// Of Rust's standard library, as the toolchain has it.
    standard_library: Vec<u8>,
}

impl Licences {
    pub(crate) fn collect(platforms: &[&Platform], tools: &Tools) -> Result<Self, Failure> {
        let folders = crate_folders()?;
        let zig = of_zig(&tools.zig_folder()?)?;
        let text = |package: &'static str| {
            let crates = of_crates(package, platforms, &folders)?;
            Ok((package, format!("{crates}{zig}")))
        };
        let crates: Result<_, Failure> = ["sivka-cli", "sivka-ffi"].into_iter().map(text).collect();
        let mut rustc = program("rustc", &["--print", "sysroot"]);
        let sysroot = PathBuf::from(capture(&mut rustc)?.trim());
        Ok(Self {
            crates: crates?,
            standard_library: read(&sysroot.join("share/doc/rust/COPYRIGHT-library.html"))?,
        })
    }

    /// Names and contents: our licences, and those of what `package` is linked with.
    pub(crate) fn files(&self, package: &str) -> Result<Vec<(&'static str, Vec<u8>)>, Failure> {
        let root = crate::process::project_root();
        Ok(vec![
            ("LICENSE-APACHE", read(&root.join("LICENSE-APACHE"))?),
            ("LICENSE-MIT", read(&root.join("LICENSE-MIT"))?),
            ("THIRD-PARTY.txt", self.crates[package].clone().into_bytes()),
            (
                "THIRD-PARTY-rust-standard-library.html",
                self.standard_library.clone(),
            ),
        ])
    }
}

/// Where the source of each crate is, by `name version`.
fn crate_folders() -> Result<BTreeMap<String, PathBuf>, Failure> {
    let text = capture(&mut cargo(&[
        "metadata",
        "--format-version",
        "1",
        "--locked",
    ]))?;
    let wrong = |why: &str| Failure::new(format!("cargo metadata: {why}"));
    let metadata: Value = serde_json::from_str(&text).map_err(|e| wrong(&e.to_string()))?;
    let packages = metadata["packages"].as_array();
    let packages = packages.ok_or_else(|| wrong("no packages"))?;
    let entry = |package: &Value| {
        let field = |name: &str| package[name].as_str();
        let name = format!("{} {}", field("name")?, field("version")?);
        let manifest = Path::new(field("manifest_path")?);
        Some((name, manifest.parent()?.to_owned()))
    };
    Ok(packages.iter().filter_map(entry).collect())
}

/// The text for all crates of others that `package` is linked with on any of the platforms.
fn of_crates(
    package: &str,
    platforms: &[&Platform],
    folders: &BTreeMap<String, PathBuf>,
) -> Result<String, Failure> {
    let mut linked = BTreeSet::new();
    for platform in platforms {
        linked.extend(sbom::linked(package, platform.target)?);
    }
    linked.retain(|[name, ..]| name != "sivka" && !name.starts_with("sivka-"));
    let mut text = String::from("What this software is linked with, beside its own code.\n");
    for [name, version, licence] in &linked {
        let _ = write!(text, "\n\n======== {name} {version}: {licence}\n");
        let folder = folders.get(&format!("{name} {version}"));
        let folder = folder.ok_or_else(|| Failure::new(format!("{name}: where is its source?")))?;
        let files = licence_files(folder)?;
        if files.is_empty() {
            let message = format!("{name} {version} comes without the text of its licence");
            return Err(Failure::new(message));
        }
        for file in files {
            let _ = write!(text, "\n{}", read_text(&file)?.trim_end());
            text.push('\n');
        }
    }
    Ok(text)
}

fn licence_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = listed(folder)?;
    files.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_ascii_lowercase();
        let name = name.to_string_lossy();
        let starts = ["licen", "copying", "copyright", "notice", "unlicense"];
        path.is_file() && starts.iter().any(|start| name.starts_with(start))
    });
    Ok(files)
}

/// The same for what Zig links: the start of programs and the unwinder everywhere, musl's C
/// library into the static programs, and MinGW's part of it on Windows.
fn of_zig(folder: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    for (name, file) in [
        ("compiler-rt of Zig", "LICENSE"),
        ("libunwind of LLVM", "lib/libunwind/LICENSE.TXT"),
        ("musl (in programs for it)", "lib/libc/musl/COPYRIGHT"),
        ("MinGW-w64 (on Windows)", "lib/libc/mingw/COPYING"),
    ] {
        let _ = write!(text, "\n\n======== {name}\n");
        let licence = read_text(&folder.join(file))?;
        let _ = write!(text, "\n{}\n", licence.trim_end());
    }
    Ok(text)
}
