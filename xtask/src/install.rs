//! `cargo xtask install --prefix DIR`: the C library, where C programs look for it.
//!
//! ```text
//! include/sivka.h
//! lib/libsivka.a   lib/libsivka.so   lib/libsivka.so.<interface>
//! lib/pkgconfig/sivka.pc   lib/cmake/sivka/
//! ```

use crate::files::{copy, read_text, write};
use crate::process::{
    Failure, WORKSPACE, artifacts, cargo, locked, program, project_root, succeed,
};
use std::env::consts::DLL_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Builds the crate `sivka-ffi` in a profile of Cargo's, and installs it; or what Cargo has put into
/// a folder when it built the tests of that crate.
pub(crate) fn run(prefix: &str, words: &[&str]) -> Result<(), Failure> {
    let built = match *words {
        [] => Built::build("release")?,
        ["--profile", profile] => Built::build(profile)?,
        ["--built", folder] => Built {
            archive: Path::new(folder).join("libsivka_ffi.a"),
            shared: Path::new(folder).join(format!("libsivka_ffi{DLL_SUFFIX}")),
        },
        _ => {
            return Err(Failure::new("only --profile NAME or --built FOLDER follows"));
        }
    };
    let prefix = std::path::absolute(prefix).map_err(|e| Failure::new(format!("{prefix}: {e}")))?;
    let source = project_root().join("ffi");
    let header = read_text(&source.join("include/sivka.h"))?;
    // The number of the interface, as the header states it.
    let abi = header.split("#define SIVKA_ABI_VERSION ").nth(1);
    let abi = abi.and_then(|rest| rest.split_whitespace().next());
    let abi = abi.ok_or_else(|| Failure::new("sivka.h has no SIVKA_ABI_VERSION"))?;
    let [shared, link] = match cfg!(target_os = "macos") {
        true => [format!("libsivka.{abi}.dylib"), "libsivka.dylib".to_owned()],
        false => [format!("libsivka.so.{abi}"), "libsivka.so".to_owned()],
    };
    let lib = prefix.join("lib");

    write(&prefix.join("include/sivka.h"), header)?;
    copy(&built.archive, &lib.join("libsivka.a"), strip)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let copied = prefix.join("share/doc/sivka").join(licence);
        copy(&project_root().join(licence), &copied, |_| ())?;
    }
    copy(&built.shared, &lib.join(&shared), |_| ())?;
    succeed(program("ln", &["-sfn", &shared]).arg(lib.join(link)))?;
    let mut parts = VERSION.split('.').map(str::to_owned);
    let mut part = || parts.next().unwrap_or_default();
    let filled = [
        ("@VERSION@", VERSION.to_owned()),
        ("@MAJOR@", part()),
        ("@MINOR@", part()),
        ("@STATIC_LIBS@", tidy(&native_libraries()?)),
        ("@SHARED_LIBRARY@", shared),
    ];
    for (template, to) in [
        ("sivka.pc.in", "pkgconfig/sivka.pc"),
        ("cmake/sivka-config.cmake.in", "cmake/sivka/sivka-config.cmake"),
        ("cmake/sivka-config-version.cmake.in", "cmake/sivka/sivka-config-version.cmake"),
    ] {
        let text = read_text(&source.join(template))?;
        let fill = |text: String, (word, value): &(&str, String)| text.replace(word, value);
        write(&lib.join(to), filled.iter().fold(text, fill))?;
    }
    println!("installed in {}", prefix.display());
    Ok(())
}

/// Linker arguments for programs that link an archive of Rust's: the libraries that the standard
/// library of this machine uses.
fn native_libraries() -> Result<String, Failure> {
    // An empty library. It goes to a file of its own: rustc removes its output file first, and as
    // root that would be the device /dev/null.
    let list = project_root().join("target/native-libraries");
    write(&list, "")?;
    let mut rustc = program("rustc", &["--crate-type", "staticlib"]);
    rustc.arg(format!("--print=native-static-libs={}", list.display()));
    succeed(rustc.arg("-o").arg(list.with_extension("a")).arg("-"))?;
    read_text(&list)
}

/// Cargo's output files.
pub(crate) struct Built {
    pub(crate) archive: PathBuf,
    pub(crate) shared: PathBuf,
}

impl Built {
    pub(crate) fn build(profile: &str) -> Result<Self, Failure> {
        let mut command = cargo(&["build", "-p", "sivka-ffi", "--lib", "--profile", profile]);
        Self::made_by(command.args(locked()))
    }

    /// The one that the tests of Rust are built with.
    pub(crate) fn of_tests() -> Result<Self, Failure> {
        let mut command = cargo(&["test", "--no-run", "--test", "matrix"]);
        Self::made_by(command.args(WORKSPACE).args(locked()))
    }

    fn made_by(command: &mut Command) -> Result<Self, Failure> {
        let made = artifacts(command)?;
        let path = |name: &str| {
            let files = made.iter().filter_map(|made| made["filenames"].as_array()).flatten();
            let mut files = files.filter_map(|file| file.as_str());
            let found = files.find(|file| file.ends_with(name)).map(PathBuf::from);
            found.ok_or_else(|| Failure::new("cargo built no C library"))
        };
        Ok(Self {
            archive: path("/libsivka_ffi.a")?,
            shared: path(&format!("/libsivka_ffi{DLL_SUFFIX}"))?,
        })
    }
}

/// Each library once, where it is needed last; and the unwinder as an archive, which goes
/// into programs with and without shared libraries, where rustc names the shared one.
fn tidy(libs: &str) -> String {
    let libs: Vec<&str> = libs.split_whitespace().collect();
    let last = |(at, lib): (usize, &&str)| !libs[at + 1..].contains(lib);
    let kept = libs.iter().enumerate().filter(|&entry| last(entry));
    let names = kept.map(|(_, lib)| match *lib {
        "-lgcc_s" | "-lunwind" => "-lgcc_eh",
        lib => lib,
    });
    names.collect::<Vec<_>>().join(" ")
}

/// Takes the debug information of the standard library off an archive: programs that link
/// it are half as long then. Without `strip`, which comes with C compilers, it stays.
fn strip(archive: &Path) {
    let stripped = Command::new("strip").arg("-S").arg(archive).status();
    if !stripped.is_ok_and(|status| status.success()) {
        println!("no `strip`: {archive:?} keeps its debug information");
    }
}
