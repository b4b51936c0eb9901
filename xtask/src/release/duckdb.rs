//! DuckDB's extension: what Zig made of it, with the footer and the signature that
//! `integrations/duckdb/build.py` writes.

use super::platform::{Platform, System};
use super::tools::Tools;
use super::tree::Tree;
use crate::process::{Failure, capture, project_root, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the extension's file is called: DuckDB finds its entry by that.
pub(crate) const FILE: &str = "sivka.duckdb_extension";
/// The function that DuckDB calls.
pub(crate) const ENTRY: &str = "sivka_init_c_api";

/// Adds the footer, and a signature where there is a key, to what a compiler made.
pub(crate) fn finish(
    compiled: &Path,
    platform: &Platform,
    version: &str,
    signing_key: Option<&Path>,
    (tools, tree): (&Tools, &Tree),
) -> Result<PathBuf, Failure> {
    let out = compiled.with_file_name(FILE);
    let mut build = builder(tools, tree);
    build.arg("--compiled").arg(compiled);
    build.args(["--platform", &duckdb_platform(platform)]);
    build.args(["--version", version]);
    if let Some(key) = signing_key {
        build.arg("--signing-key").arg(key);
    }
    succeed(build.arg(&out))?;
    Ok(out)
}

/// What a compiler of the sources is told: where DuckDB's headers are, and which interface.
pub(crate) fn compiler_arguments(tools: &Tools, tree: &Tree) -> Result<Vec<String>, Failure> {
    let mut take = builder(tools, tree);
    take.arg("--cache")
        .arg(project_root().join("target/duckdb"));
    let said = capture(take.arg("--take-headers"))?;
    Ok(said.split_whitespace().map(str::to_owned).collect())
}

/// The sources: `rows.c`, which benchmarks replace, among them.
pub(crate) fn sources(tree: &Tree) -> PathBuf {
    tree.source.join("integrations/duckdb/src")
}

fn builder(tools: &Tools, tree: &Tree) -> Command {
    let mut python = tools.python();
    python.arg(tree.source.join("integrations/duckdb/build.py"));
    python
}

/// What DuckDB calls a platform.
pub(crate) fn duckdb_platform(platform: &Platform) -> String {
    let system = match platform.system {
        System::Glibc | System::Musl => "linux",
        System::Windows => "windows",
        System::MacOs => "osx",
    };
    let cpu = if platform.is_aarch64() {
        "arm64"
    } else {
        "amd64"
    };
    let library = if platform.system == System::Musl {
        "_musl"
    } else {
        ""
    };
    format!("{system}_{cpu}{library}")
}

#[cfg(test)]
mod tests {
    use super::super::platform::PLATFORMS;
    use super::duckdb_platform;

    #[test]
    fn platforms_have_the_names_of_duckdb() {
        let names: Vec<String> = PLATFORMS.iter().map(duckdb_platform).collect();
        let expected = [
            "linux_amd64",
            "linux_arm64",
            "linux_amd64_musl",
            "linux_arm64_musl",
            "windows_amd64",
            "osx_arm64",
            "osx_amd64",
        ];
        assert_eq!(names, expected);
    }
}
