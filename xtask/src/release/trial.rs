//! What runs on this machine, installed in an empty place, seals there; of what is for others,
//! the tools of Python and DuckDB say whether it is.

mod c_library;
mod command;
mod engines;
mod packages;

use super::platform::{PLATFORMS, Platform, System};
use super::tools::Tools;
use super::tree::Tree;
use crate::process::{Failure, Tally, program, project_root, succeed};
use std::path::{Path, PathBuf};

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
            let mut check = |what: &str, result: &dyn Fn() -> Result<(), Failure>| {
                let name = format!("{}: {what}", platform.name);
                tally.stage(&name, |part| part.add_check(&name, &result()));
            };
            if platform.name == super::HERE {
                check("the command seals", &|| self.command(platform));
                let both = "C programs seal with both libraries, by pkg-config and CMake";
                check(both, &|| self.c_library(platform));
            }
            check("the wheel is one for it", &|| self.wheel(platform));
            check("DuckDB's extension is one for it", &|| {
                self.duckdb(platform)
            });
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

/// The machine that this runs on.
fn host() -> &'static Platform {
    let host = PLATFORMS
        .iter()
        .find(|platform| platform.name == super::HERE);
    host.expect("the table has this machine")
}
