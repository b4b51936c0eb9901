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
            fs::create_dir_all(work).map_err(|e| crate::files::about(work, &e))?;
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

/// The folders that Cargo unpacks crates into, one for each registry.
fn sources() -> Result<Vec<PathBuf>, Failure> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let sources = home.unwrap_or_default().join("registry/src");
    crate::files::listed(&sources)
}

/// Whether a folder of [`sources`] is that of a registry without a host, as `cargo package`
/// makes one for the crates that it has packed.
fn is_local(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b"-")
}

fn registries() -> Result<Vec<PathBuf>, Failure> {
    // What is not there yet is not known here.
    let mut fetch = program("cargo", &["fetch", "--quiet", "--locked"]);
    succeed(&mut fetch)?;
    let mut folders = sources()?;
    // With other options everything would be built again.
    folders.retain(|folder| !is_local(folder));
    Ok(folders)
}

/// Removes what Cargo has unpacked of these crates when it packed them before. It tells
/// them apart by name, version and the path of their registry, all of which another commit
/// may share, and would build the crates of that one.
pub(crate) fn remove_unpacked(crates: &[&str], version: &str) -> Result<(), Failure> {
    remove_unpacked_from(&sources()?, crates, version)
}

fn remove_unpacked_from(
    sources: &[PathBuf],
    crates: &[&str],
    version: &str,
) -> Result<(), Failure> {
    for folder in sources.iter().filter(|folder| is_local(folder)) {
        for name in crates {
            let unpacked = folder.join(format!("{name}-{version}"));
            if unpacked.exists() {
                fs::remove_dir_all(&unpacked).map_err(|e| crate::files::about(&unpacked, &e))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::remove_unpacked_from;
    use crate::process::project_root;
    use std::fs;

    #[test]
    fn only_what_cargo_packed_is_removed() {
        let folder = project_root().join("target/tmp/unpacked");
        let [local, registry] = ["-1", "example.org-1"].map(|name| folder.join(name));
        let [packed, other, older] =
            ["ours-0.1.0", "ours-file-0.1.0", "ours-0.0.9"].map(|name| local.join(name));
        let published = registry.join("ours-0.1.0");
        for path in [&packed, &other, &older, &published] {
            fs::create_dir_all(path).expect("a folder");
        }
        let removed = remove_unpacked_from(&[local, registry], &["ours"], "0.1.0");
        let left = [&packed, &other, &older, &published].map(|path| path.exists());
        fs::remove_dir_all(&folder).expect("nothing else uses it");
        assert_eq!(removed.map_err(|failure| failure.to_string()), Ok(()));
        assert_eq!(left, [false, true, true, true]);
    }
}
