//! The JDKs of this machine, and which of them builds what is in Java.

use crate::process::files_in;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The oldest Java that the package is for.
pub(crate) const OLDEST: u32 = 17;

/// Every JDK that is found, by its version: in `JAVA_HOME`, on the path, and where Linux
/// distributions put them.
pub(crate) fn installed() -> BTreeMap<u32, PathBuf> {
    let mut homes: Vec<PathBuf> = env::var_os("JAVA_HOME")
        .map(PathBuf::from)
        .into_iter()
        .collect();
    let path = env::var_os("PATH").unwrap_or_default();
    homes.extend(env::split_paths(&path).filter_map(|folder| {
        let compiler = folder.join("javac").canonicalize().ok()?;
        Some(compiler.parent()?.parent()?.to_owned())
    }));
    homes.extend(files_in(Path::new("/usr/lib/jvm")));
    let mut jdks = BTreeMap::new();
    for home in homes {
        let release = fs::read_to_string(home.join("release")).unwrap_or_default();
        if let (Some(version), true) = (version_of(&release), home.join("bin/javac").exists()) {
            jdks.entry(version).or_insert(home);
        }
    }
    jdks
}

/// 17 for `JAVA_VERSION="17.0.15"`.
fn version_of(release: &str) -> Option<u32> {
    let mut lines = release.lines();
    let version = lines.find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    version.split(['.', '-', '"']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_jdks_are_read() {
        let version =
            |text: &str| version_of(&format!("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"{text}\"\n"));
        assert_eq!(version("17.0.15"), Some(17));
        assert_eq!(version("25"), Some(25));
        assert_eq!(version("26-ea"), Some(26));
        assert_eq!(version("1.8.0_402"), Some(1));
        assert_eq!(version_of(""), None);
    }
}
