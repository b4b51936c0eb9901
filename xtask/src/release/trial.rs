//! Every artifact that can run here, installed in an empty place, seals there.

mod c_library;
mod command;
mod engines;
mod packages;

use super::platform::{PLATFORMS, Platform, System};
use super::tools::Tools;
use super::tree::Tree;
use crate::process::{Failure, Tally, exists, program, project_root, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The artifacts, and an empty place to try them in.
pub(crate) struct Trial<'a> {
    pub(crate) artifacts: &'a Path,
    pub(crate) version: &'a str,
    pub(crate) tools: &'a Tools,
    pub(crate) tree: &'a Tree,
    pub(crate) platforms: &'a [&'static Platform],
}

impl Trial<'_> {
    /// Tries everything that is there.
    pub(crate) fn run(&self, tally: &mut Tally) {
        for platform in self.platforms {
            if let Some(needs) = missing(platform) {
                tally.add_not_run(&format!("what is for {}", platform.name), &needs);
                continue;
            }
            let [command, c_library, wheel] = shown(platform);
            let name = format!("{}: {command}", platform.name);
            tally.stage(&name, |part| part.add_check(&name, &self.command(platform)));
            let name = format!("{}: {c_library}", platform.name);
            tally.stage(&name, |part| {
                part.add_check(&name, &self.c_library(platform));
            });
            let name = format!("{}: {wheel}", platform.name);
            tally.stage(&name, |part| part.add_check(&name, &self.wheel(platform)));
            let (name, check) = self.duckdb(platform);
            tally.stage(&name, |part| part.add_check(&name, &check));
        }
        tally.stage("the jar", |part| self.jar(part));
        tally.stage("the jars for Spark", |part| self.spark(part));
        tally.stage("the .NET package", |part| {
            part.add_check("the .NET package seals", &self.nuget());
        });
        let name = "the Go module seals without a C compiler";
        tally.stage(name, |part| part.add_check(name, &self.go_module()));
        let name = "the crates build from what is packed";
        tally.stage(name, |part| {
            part.add_check(name, &self.crates());
        });
    }

    fn go_module(&self) -> Result<(), Failure> {
        super::go_module::try_out(self.artifacts, self.version, &self.place("go")?)
    }

    fn crates(&self) -> Result<(), Failure> {
        super::tree::remove_unpacked(&crate::sbom::SHIPPED, self.version)?;
        let mut package = super::packages::cargo_package();
        let package = self.tree.settle(&mut package);
        // What was built of another commit's crates would be taken for these.
        succeed(package.env("CARGO_TARGET_DIR", self.place("crates")?))
    }

    /// An empty folder.
    fn place(&self, name: &str) -> Result<PathBuf, Failure> {
        let trials = project_root().join("target/release-build/trials");
        crate::files::empty_folder(&trials.join(name))
    }

    /// Unpacks an archive into an empty folder; the one folder that was in it.
    fn unpack(&self, what: &str, platform: &Platform) -> Result<PathBuf, Failure> {
        let name = format!("{what}-{}-{}", self.version, platform.name);
        let place = self.place(&name)?;
        if platform.system == System::Windows {
            let mut python = self.tools.python();
            python.args(["-m", "zipfile", "-e"]);
            let archive = self.artifacts.join(format!("{name}.zip"));
            succeed(python.arg(archive).arg(&place))?;
        } else {
            let archive = self.artifacts.join(format!("{name}.tar.gz"));
            let mut tar = program("tar", &["--extract", "--file"]);
            succeed(tar.arg(archive).arg("--directory").arg(&place))?;
        }
        Ok(place.join(name))
    }
}

/// What a trial of the command, the C library and the wheel shows.
fn shown(platform: &Platform) -> [&'static str; 3] {
    const SEALS: &str = "the command seals";
    const BOTH: &str = "C programs seal with both libraries";
    const PIP: &str = "pip takes the wheel as one for it (not run)";
    const AUDITWHEEL: &str = "auditwheel and pip take the wheel as one for it (not run)";
    match platform.system {
        System::Glibc if platform.name == super::HERE => [
            SEALS,
            "C programs seal with both libraries, by pkg-config and CMake",
            "the wheel seals, and auditwheel and `pip check` accept it",
        ],
        System::Glibc | System::Musl => [SEALS, BOTH, AUDITWHEEL],
        System::Windows => [SEALS, BOTH, PIP],
        System::MacOs => [
            "the command has the format of macOS (not run)",
            "C programs link with both libraries (not run)",
            PIP,
        ],
    }
}

/// What is not here that programs for a platform need to run.
fn missing(platform: &Platform) -> Option<String> {
    let needs: &[(&str, &str)] = match (platform.system, platform.is_aarch64()) {
        (System::Glibc, false) => &[
            ("cc", "gcc"),
            ("pkg-config", "pkg-config"),
            ("cmake", "cmake"),
        ],
        (System::Glibc, true) => &[
            (
                "aarch64-linux-gnu-gcc",
                "gcc-aarch64-linux-gnu, libc6-dev-arm64-cross",
            ),
            ("qemu-aarch64", "qemu-user"),
        ],
        (System::Musl, false) => &[("unshare", "util-linux")],
        (System::Musl, true) => &[("qemu-aarch64", "qemu-user")],
        (System::Windows, _) => &[
            (
                crate::emulated::windows::COMPILER,
                "gcc-mingw-w64-x86-64-win32",
            ),
            ("wine", "wine, wine64"),
        ],
        (System::MacOs, _) => &[],
    };
    // The loader of programs that share musl's C library.
    let loader = match (platform.system, platform.is_aarch64()) {
        (System::Musl, false) => Some(("/lib/ld-musl-x86_64.so.1", "musl")),
        (System::Musl, true) => Some(("/lib/ld-musl-aarch64.so.1", "musl:arm64")),
        _ => None,
    };
    let lacking = needs.iter().find(|(tool, _)| !exists(tool)).copied();
    let lacking = lacking.or(loader.filter(|(path, _)| !Path::new(path).exists()));
    lacking.map(|(tool, package)| format!("{tool} (Debian: {package})"))
}

/// The command that runs a program of a platform here; `None` for macOS, which nothing here
/// runs.
fn start(platform: &Platform, path: &Path) -> Option<Command> {
    let qemu = |arguments: &[&str]| {
        let mut command = program("qemu-aarch64", arguments);
        command.arg(path);
        command
    };
    match (platform.system, platform.is_aarch64()) {
        (System::MacOs, _) => None,
        (System::Windows, _) => {
            let mut command = program("wine", &[]);
            command.arg(path);
            Some(crate::emulated::windows::in_wine(command))
        }
        (System::Glibc, true) => Some(qemu(&["-L", "/usr/aarch64-linux-gnu"])),
        (System::Musl, true) => Some(qemu(&[])),
        (_, false) => Some(Command::new(path)),
    }
}

/// The machine that this runs on.
fn host() -> &'static Platform {
    let host = PLATFORMS
        .iter()
        .find(|platform| platform.name == super::HERE);
    host.expect("the table has this machine")
}
