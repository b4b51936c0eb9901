//! `cargo xtask release [--twice] [--duckdb-key FILE] [--maven-key NAME] [PLATFORM…]`:
//! everything that users get, in `target/release-artifacts`.
//!
//! It is made of the commit that is checked out, in a clone of it. `--twice` makes it in
//! another folder as well, from nothing, and compares the bytes. What can run here is then
//! installed in an empty place, and seals. With keys, DuckDB's extension has a signature as
//! DuckDB's repositories make it, and each file for Maven Central one of GnuPG.

mod archive;
mod compile;
mod duckdb;
pub(crate) mod go_module;
mod licences;
mod maven;
mod nuget;
mod packages;
mod packer;
mod platform;
mod tools;
mod tree;
mod trial;
mod wheel;

use crate::blob;
use crate::files::{about, empty_folder, listed, read, write};
use crate::process::{Failure, Tally, project_root};
use crate::targets;
use licences::Licences;
use packer::Packer;
use platform::{PLATFORMS, Platform};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tools::Tools;
use tree::Tree;
use trial::Trial;

/// The machine that releases are made on.
const HERE: &str = "linux-x86_64";
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a release is signed with.
#[derive(Debug, Default)]
struct SigningKeys {
    /// A file with an RSA key in PEM, for DuckDB's extension.
    duckdb: Option<PathBuf>,
    /// What GnuPG calls a key, for Maven Central.
    maven: Option<String>,
}

/// What a release is asked to be.
#[derive(Debug, Default)]
struct Request<'a> {
    twice: bool,
    keys: SigningKeys,
    names: Vec<&'a str>,
}

impl<'a> Request<'a> {
    fn parse(arguments: &[&'a str]) -> Result<Self, Failure> {
        let mut request = Self::default();
        let mut rest = arguments.iter().copied();
        while let Some(argument) = rest.next() {
            let mut value = || {
                let needs = || Failure::new(format!("{argument} needs a value"));
                rest.next().ok_or_else(needs)
            };
            match argument {
                "--twice" => request.twice = true,
                "--duckdb-key" => {
                    let path = fs::canonicalize(value()?);
                    let failed = |e| Failure::new(format!("--duckdb-key: {e}"));
                    request.keys.duckdb = Some(path.map_err(failed)?);
                }
                "--maven-key" => request.keys.maven = Some(value()?.to_owned()),
                name => request.names.push(name),
            }
        }
        if request.twice && request.keys.maven.is_some() {
            let message = "a signature of GnuPG has a time: with --twice, give no --maven-key";
            return Err(Failure::new(message));
        }
        Ok(request)
    }
}

/// Makes a release for these platforms, or all. This machine's is always among them: its
/// command writes the manual pages.
pub(crate) fn run(arguments: &[&str]) -> Tally {
    let mut tally = Tally::default();
    let result = Request::parse(arguments).and_then(|request| {
        let platforms = chosen(&request.names)?;
        release(&platforms, &request, &mut tally)
    });
    if let Err(failure) = result {
        tally.add_check("the release", &Err(failure));
    }
    tally
}

/// Rust's names of the platforms, a line each, for `rustup target add`.
pub(crate) fn list() {
    for platform in &PLATFORMS {
        println!("{}", platform.target);
    }
}

/// The platforms of these names.
fn chosen(names: &[&str]) -> Result<Vec<&'static Platform>, Failure> {
    let known: Vec<&str> = PLATFORMS.iter().map(|platform| platform.name).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        let message = format!("{unknown} is none of {}", known.join(", "));
        return Err(Failure::new(message));
    }
    let asked = |platform: &&Platform| {
        names.is_empty() || platform.name == HERE || names.contains(&platform.name)
    };
    let platforms: Vec<&Platform> = PLATFORMS.iter().filter(asked).collect();
    for platform in &platforms {
        if !targets::is_installed(platform.target) {
            let needs = targets::library(platform.target);
            return Err(Failure::new(format!(
                "{}: {needs} is missing",
                platform.name
            )));
        }
    }
    Ok(platforms)
}

fn release(
    platforms: &[&'static Platform],
    request: &Request<'_>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let tools = Tools::install()?;
    let folder = project_root().join("target/release-build");
    let out = project_root().join("target/release-artifacts");
    let first = tally.stage("build", |_| {
        let tree = Tree::check_out(&folder.join("first"))?;
        make(platforms, &request.keys, &tools, &tree, &out)?;
        Ok(tree)
    });
    let tree = match first {
        Ok(tree) => tree,
        Err(failure) => {
            tally.add_check("everything is built", &Err(failure));
            return Ok(());
        }
    };
    if request.twice {
        let keys = &request.keys;
        let again = tally.stage("build again", |_| {
            again(platforms, keys, &tools, &folder, &out)
        });
        tally.add_check("a second build gives the same bytes", &again);
    }
    let trial = Trial {
        artifacts: &out,
        version: VERSION,
        tools: &tools,
        tree: &tree,
        platforms,
    };
    tally.stage("trials", |part| trial.run(part));
    println!("the release is in {}", out.display());
    Ok(())
}

/// Builds everything in another folder, of which nothing is there yet, and compares.
fn again(
    platforms: &[&'static Platform],
    keys: &SigningKeys,
    tools: &Tools,
    folder: &Path,
    out: &Path,
) -> Result<(), Failure> {
    let work = folder.join("second/in-a-longer-path");
    if work.exists() {
        fs::remove_dir_all(&work).map_err(|e| about(&work, &e))?;
    }
    let tree = Tree::check_out(&work)?;
    let other = work.join("artifacts");
    make(platforms, keys, tools, &tree, &other)?;
    let (ours, others) = (sums(out)?, sums(&other)?);
    let names = ours.keys().chain(others.keys());
    let different: Vec<&String> = names
        .filter(|name| ours.get(*name) != others.get(*name))
        .collect();
    if different.is_empty() {
        println!("{} artifacts are the same bytes", ours.len());
        Ok(())
    } else {
        Err(Failure::new(format!("not the same bytes: {different:?}")))
    }
}

/// Builds and packs everything into `out`.
fn make(
    platforms: &[&'static Platform],
    keys: &SigningKeys,
    tools: &Tools,
    tree: &Tree,
    out: &Path,
) -> Result<(), Failure> {
    let licences = Licences::collect(platforms, tools)?;
    let build = |platform: &&'static Platform| compile::build(platform, tools, tree);
    let built: Result<Vec<_>, Failure> = platforms.iter().map(build).collect();
    let packer = Packer {
        tree,
        tools,
        licences: &licences,
        built: &built?,
        out: &empty_folder(out)?,
        version: VERSION,
    };
    packer.commands()?;
    packer.c_libraries()?;
    packer.wheels()?;
    packer.duckdb(keys.duckdb.as_deref())?;
    packer.jars()?;
    packer.spark_jars()?;
    packer.maven_bundle(keys.maven.as_deref())?;
    packer.nuget()?;
    blob::make(&tree.source, &tree.target().join("blob"))?;
    go_module::write_zips(&tree.source, out, VERSION, tree.time)?;
    packer.bills_of_materials()?;
    packer.crates()?;
    let mut list = String::new();
    for (name, sum) in sums(out)? {
        let _ = writeln!(list, "{sum}  {name}");
    }
    print!("{list}");
    write(&out.join("SHA256SUMS"), list)
}

/// The SHA-256 of every file in a folder, by name.
fn sums(folder: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let sum = |path: &Path| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let digest = Sha256::digest(read(path)?);
        let hex = digest.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        Ok((name, hex))
    };
    listed(folder)?.iter().map(|path| sum(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::Request;

    #[test]
    fn a_request_has_keys_and_platforms() {
        let request = Request::parse(&["--maven-key", "me", "linux-x86_64"]).expect("a request");
        assert_eq!(request.keys.maven.as_deref(), Some("me"));
        assert_eq!(request.names, ["linux-x86_64"]);
        let wrong: [&[&str]; 3] = [
            &["--maven-key"],
            &["--twice", "--maven-key", "me"],
            &["--duckdb-key", "/no/such/file"],
        ];
        for arguments in wrong {
            assert!(Request::parse(arguments).is_err(), "{arguments:?}");
        }
    }
}
