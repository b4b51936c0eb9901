//! `cargo xtask install --prefix DIR`: the C library, where C programs look for it.
//!
//! ```text
//! include/sivka.h
//! lib/libsivka.a   lib/libsivka.so   lib/libsivka.so.<interface>
//! lib/pkgconfig/sivka.pc   lib/cmake/sivka/
//! ```

use crate::files::{copy, read_text, write};
use crate::process::{Failure, WORKSPACE, capture, cargo, locked, program, project_root, succeed};
use std::env::consts::DLL_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the crate `sivka-ffi` in a profile of Cargo's, and installs it.
pub(crate) fn run(prefix: &str, profile: &str) -> Result<(), Failure> {
    install(prefix, &Built::build(profile)?)
}

/// Installs what Cargo has put into `folder` when it built the tests of `sivka-ffi`.
pub(crate) fn run_built(prefix: &str, folder: &str) -> Result<(), Failure> {
    let folder = Path::new(folder);
    install(
        prefix,
        &Built {
            archive: folder.join("libsivka_ffi.a"),
            shared: folder.join(format!("libsivka_ffi{DLL_SUFFIX}")),
        },
    )
}

fn install(prefix: &str, built: &Built) -> Result<(), Failure> {
    let prefix = std::path::absolute(prefix).map_err(|e| Failure::new(format!("{prefix}: {e}")))?;
    let source = project_root().join("ffi");
    let header = read_text(&source.join("include/sivka.h"))?;
    let (shared, link) = shared_names(&abi_version(&header)?);
    let (lib, cmake) = (prefix.join("lib"), prefix.join("lib/cmake/sivka"));

    write(&prefix.join("include/sivka.h"), header)?;
    copy(&built.archive, &lib.join("libsivka.a"))?;
    strip(&lib.join("libsivka.a"));
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let copied = prefix.join("share/doc/sivka").join(licence);
        copy(&project_root().join(licence), &copied)?;
    }
    copy(&built.shared, &lib.join(&shared))?;
    symlink(&shared, &lib.join(link))?;
    let filled = Filled {
        version: env!("CARGO_PKG_VERSION"),
        static_libs: &tidy(&native_libraries(None)?),
        shared: &shared,
    };
    let pkg_config = filled.fill(&read_text(&source.join("sivka.pc.in"))?);
    write(&lib.join("pkgconfig/sivka.pc"), pkg_config)?;
    for name in ["sivka-config.cmake", "sivka-config-version.cmake"] {
        let template = source.join(format!("cmake/{name}.in"));
        write(&cmake.join(name), filled.fill(&read_text(&template)?))?;
    }
    println!("installed in {}", prefix.display());
    Ok(())
}

/// What a program that links an archive of Rust's links as well, as linker arguments: what
/// the standard library of a target, or of this machine, uses.
pub(crate) fn native_libraries(target: Option<&str>) -> Result<String, Failure> {
    // An empty library. It goes to a file of its own: rustc removes what it is told to write,
    // and as root that would be the device /dev/null.
    let folder = project_root().join("target/native-libraries");
    let list = folder.join(target.unwrap_or("here"));
    write(&list, "")?;
    let mut rustc = program("rustc", &["--crate-type", "staticlib"]);
    rustc.args(target.iter().flat_map(|target| ["--target", target]));
    rustc.arg(format!("--print=native-static-libs={}", list.display()));
    succeed(rustc.arg("-o").arg(list.with_extension("a")).arg("-"))?;
    read_text(&list)
}

/// What is filled into the files for pkg-config and CMake.
pub(crate) struct Filled<'a> {
    pub(crate) version: &'a str,
    pub(crate) static_libs: &'a str,
    /// The file name of the shared library.
    pub(crate) shared: &'a str,
}

impl Filled<'_> {
    pub(crate) fn fill(&self, template: &str) -> String {
        let mut version = self.version.split('.');
        let (major, minor) = (version.next(), version.next());
        template
            .replace("@VERSION@", self.version)
            .replace("@MAJOR@", major.unwrap_or_default())
            .replace("@MINOR@", minor.unwrap_or_default())
            .replace("@STATIC_LIBS@", self.static_libs)
            .replace("@SHARED_LIBRARY@", self.shared)
    }
}

/// What Cargo made.
pub(crate) struct Built {
    pub(crate) archive: PathBuf,
    pub(crate) shared: PathBuf,
}

impl Built {
    pub(crate) fn build(profile: &str) -> Result<Self, Failure> {
        let mut command = cargo(&["build", "-p", "sivka-ffi", "--lib", "--profile", profile]);
        command.args(["--message-format", "json"]).args(locked());
        Self::parse(&capture(&mut command)?)
    }

    /// The one that the tests of Rust are built with.
    pub(crate) fn of_tests() -> Result<Self, Failure> {
        let mut command = cargo(&["test", "--no-run", "--test", "matrix"]);
        command.args(WORKSPACE).args(["--message-format", "json"]);
        Self::parse(&capture(command.args(locked()))?)
    }

    /// Reads Cargo's messages, one JSON object a line, as far as they matter here.
    fn parse(messages: &str) -> Result<Self, Failure> {
        let path = |name: &str| {
            let mut strings = messages.lines().flat_map(|line| line.split('"'));
            let found = strings.find(|text| text.ends_with(name)).map(PathBuf::from);
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
pub(crate) fn tidy(libs: &str) -> String {
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
        println!(
            "no `strip`: {} keeps its debug information",
            archive.display()
        );
    }
}

/// The number of the interface, as the header states it.
pub(crate) fn abi_version(header: &str) -> Result<String, Failure> {
    let number = header
        .lines()
        .find_map(|line| line.strip_prefix("#define SIVKA_ABI_VERSION "));
    let number = number.ok_or_else(|| Failure::new("sivka.h has no SIVKA_ABI_VERSION"))?;
    Ok(number.trim().to_owned())
}

/// The names of the shared library and of the link that linkers look for.
fn shared_names(abi: &str) -> (String, &'static str) {
    if cfg!(target_os = "macos") {
        (format!("libsivka.{abi}.dylib"), "libsivka.dylib")
    } else {
        (format!("libsivka.so.{abi}"), "libsivka.so")
    }
}

#[cfg(unix)]
fn symlink(name: &str, link: &Path) -> Result<(), Failure> {
    let _ = fs::remove_file(link);
    let made = std::os::unix::fs::symlink(name, link);
    made.map_err(|e| Failure::new(format!("{}: {e}", link.display())))
}

#[cfg(not(unix))]
fn symlink(_: &str, _: &Path) -> Result<(), Failure> {
    Err(Failure::new("installing is known for Unix systems only"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_cargo_are_read() {
        let messages = r#"{"reason":"compiler-artifact","filenames":["/t/libsivka_ffi.so","/t/libsivka_ffi.dylib","/t/libsivka_ffi.a","/t/libsivka_ffi.rlib"]}"#;
        let built = Built::parse(messages).unwrap();
        assert_eq!(built.archive, Path::new("/t/libsivka_ffi.a"));
        let shared = format!("/t/libsivka_ffi{DLL_SUFFIX}");
        assert_eq!(built.shared, Path::new(&shared));
        assert!(Built::parse("").is_err());
    }

    #[test]
    fn libraries_are_named_once() {
        assert_eq!(tidy("-lc -lgcc_s -lutil -lc"), "-lgcc_eh -lutil -lc");
    }

    #[test]
    fn the_header_states_the_interface() {
        assert_eq!(abi_version("#define SIVKA_ABI_VERSION 7\n").unwrap(), "7");
        assert!(abi_version("").is_err());
    }
}
