//! The source of a release: a clone of the commit, in a folder that leaves no trace in what
//! is built there.

use crate::process::{Failure, capture, program, project_root, succeed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A clone and what is built of it, in one folder.
pub(crate) struct Tree {
    pub(crate) source: PathBuf,
    pub(crate) work: PathBuf,
    /// When the commit was made, in seconds since 1970: the time of every file.
    pub(crate) time: u64,
    /// The folders of the registry's sources, which differ from machine to machine.
    registries: Vec<PathBuf>,
}

impl Tree {
    /// Brings the clone in a folder to the commit that is checked out here; what was built
    /// there before stays, and is built again as far as it has changed.
    pub(crate) fn check_out(work: &Path) -> Result<Self, Failure> {
        let changed = capture(&mut program("git", &["status", "--porcelain"]))?;
        if !changed.is_empty() {
            let message =
                format!("a release is made of a commit, and this is none yet:\n{changed}");
            return Err(Failure::new(message));
        }
        let source = work.join("source");
        if !source.exists() {
            fs::create_dir_all(work).map_err(|e| super::about(work, &e))?;
            let mut clone = program("git", &["clone", "--quiet", "--shared"]);
            succeed(clone.arg(project_root()).arg(&source))?;
        }
        let commit = capture(&mut program("git", &["rev-parse", "HEAD"]))?;
        for arguments in [
            &["fetch", "--quiet", "origin", commit.trim()][..],
            &["checkout", "--quiet", "--force", "--detach", commit.trim()],
            &["clean", "--quiet", "-ffdx"],
        ] {
            succeed(program("git", arguments).current_dir(&source))?;
        }
        let mut log = program("git", &["log", "-1", "--format=%ct"]);
        let time = capture(log.current_dir(&source))?;
        let time = time.trim().parse();
        Ok(Self {
            time: time.map_err(|_| Failure::new("git names no time of the commit"))?,
            registries: registries()?,
            source,
            work: work.to_owned(),
        })
    }

    /// Makes a command run in the clone, and end the same in any folder and at any time.
    pub(crate) fn settle<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let zig = self.work.join("zig");
        command
            .current_dir(&self.source)
            .stdin(std::process::Stdio::null())
            .env("SOURCE_DATE_EPOCH", self.time.to_string())
            .env("CARGO_ENCODED_RUSTFLAGS", self.rust_flags())
            .env("CARGO_TARGET_DIR", self.target())
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
            .env("CARGO_ZIGBUILD_CACHE_DIR", self.work.join("zigbuild"))
            .env("ZIG_LOCAL_CACHE_DIR", &zig)
            .env("ZIG_GLOBAL_CACHE_DIR", &zig)
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .env_remove("CARGO_MANIFEST_DIR")
            .env_remove("RUSTFLAGS")
    }

    /// Where Cargo builds.
    pub(crate) fn target(&self) -> PathBuf {
        self.work.join("target")
    }

    /// The paths that compilers write into programs, for messages and backtraces.
    fn rust_flags(&self) -> String {
        let renamed =
            |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
        let mut flags = vec![renamed(&self.source, "sivka")];
        flags.extend(
            self.registries
                .iter()
                .map(|folder| renamed(folder, "crates")),
        );
        flags.join("\u{1f}")
    }

    /// The same for the C compiler.
    pub(crate) fn c_flags(&self) -> [String; 2] {
        let renamed = |from: &Path, to| format!("-ffile-prefix-map={}={to}", from.display());
        [renamed(&self.source, "sivka"), renamed(&self.work, "build")]
    }
}

fn registries() -> Result<Vec<PathBuf>, Failure> {
    // What is not there yet is not known here.
    let mut fetch = program("cargo", &["fetch", "--quiet", "--locked"]);
    succeed(&mut fetch)?;
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let sources = home.unwrap_or_default().join("registry/src");
    let entries = fs::read_dir(&sources).map_err(|e| super::about(&sources, &e))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    Ok(folders)
}
