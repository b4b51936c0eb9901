//! The artifacts: what is built, as the files that users get.

use super::archive::{Content, Entry, Zip};
use super::compile::Built;
use super::duckdb;
use super::packer::Packer;
use super::platform::System;
use crate::files::{listed, read, read_text, write};
use crate::install;
use crate::process::{Failure, program, succeed};
use std::path::{Path, PathBuf};
use std::process::Command;
use zip::CompressionMethod;

impl Packer<'_> {
    /// The command for each platform, with completions, manual pages and licences.
    pub(crate) fn commands(&self) -> Result<(), Failure> {
        let share = self.tree.work.join("share");
        let command = &self.here()?.command;
        let mut man = Command::new(command);
        succeed(man.args(["man", "--install"]).arg(&share))?;
        let mut power_shell = Command::new(command);
        let power_shell = crate::process::capture(power_shell.args(["completions", "powershell"]))?;
        for built in self.built {
            let mut content = Content::default();
            let name = format!("bin/{}", built.platform.program("sivka"));
            content.add_program(name, &built.command)?;
            content.add_folder("share/", &share.join("share"))?;
            if built.platform.system == System::Windows {
                let script = Entry::File(power_shell.clone().into_bytes());
                content.add("share/powershell/sivka.ps1", script);
            }
            self.add_documents(&mut content, "sivka-cli", "cli/README.md")?;
            self.archive(&content, "sivka", built.platform)?;
        }
        Ok(())
    }

    /// The C library for each platform, as `cargo xtask install` lays it out.
    pub(crate) fn c_libraries(&self) -> Result<(), Failure> {
        let ffi = self.tree.source.join("ffi");
        let header = read_text(&ffi.join("include/sivka.h"))?;
        let abi = install::abi_version(&header)?;
        for built in self.built {
            let mut content = Content::default();
            content.add("include/sivka.h", Entry::File(header.clone().into_bytes()));
            let archive = self.without_debug_information(built)?;
            content.add_copy("lib/libsivka.a", &archive)?;
            let (shared, link) = match built.platform.system {
                System::Windows => ("sivka.dll".to_owned(), None),
                System::MacOs => (format!("libsivka.{abi}.dylib"), Some("lib/libsivka.dylib")),
                _ => (format!("libsivka.so.{abi}"), Some("lib/libsivka.so")),
            };
            if let Some(import) = &built.import {
                content.add_program(format!("bin/{shared}"), &built.shared)?;
                content.add_copy("lib/libsivka.dll.a", import)?;
            } else {
                content.add_program(format!("lib/{shared}"), &built.shared)?;
            }
            if let Some(link) = link {
                content.add(link, Entry::Link(shared.clone()));
            }
            let filled = install::Filled {
                version: self.version,
                static_libs: &built.static_libs,
                shared: &shared,
            };
            for (template, name) in [
                ("sivka.pc.in", "lib/pkgconfig/sivka.pc"),
                (
                    "cmake/sivka-config.cmake.in",
                    "lib/cmake/sivka/sivka-config.cmake",
                ),
                (
                    "cmake/sivka-config-version.cmake.in",
                    "lib/cmake/sivka/sivka-config-version.cmake",
                ),
            ] {
                let text = filled.fill(&read_text(&ffi.join(template))?);
                content.add(name, Entry::File(text.into_bytes()));
            }
            self.add_documents(&mut content, "sivka-ffi", "ffi/README.md")?;
            self.archive(&content, "libsivka", built.platform)?;
        }
        Ok(())
    }

    /// A wheel for each platform: that of this machine, with another extension in it.
    pub(crate) fn wheels(&self) -> Result<(), Failure> {
        let folder = self.fresh("wheel")?;
        let mut pip = self.tools.python();
        pip.args([
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
        ]);
        pip.args(["--no-cache-dir", "--wheel-dir"])
            .arg(&folder)
            .arg(".");
        let pip = self.tree.settle(&mut pip);
        pip.env("SIVKA_STATIC_LIBRARY", &self.here()?.archive);
        succeed(pip.current_dir(self.tree.source.join("bindings/python")))?;
        let wheel = only_file(&folder)?;
        let licences = self.licences.files("sivka-ffi")?;
        for built in self.built {
            super::wheel::write_for(built, &wheel, &licences, self)?;
        }
        Ok(())
    }

    /// DuckDB's extension: for each platform an archive, since all extensions have one name.
    pub(crate) fn duckdb(&self, signing_key: Option<&Path>) -> Result<(), Failure> {
        for built in self.built {
            let mut content = Content::default();
            let extension = duckdb::finish(
                &built.duckdb,
                built.platform,
                self.version,
                signing_key,
                (self.tools, self.tree),
            )?;
            content.add_program(duckdb::FILE.to_owned(), &extension)?;
            let readme = "integrations/duckdb/README.md";
            self.add_documents(&mut content, "sivka-ffi", readme)?;
            self.archive(&content, "sivka-duckdb", built.platform)?;
        }
        Ok(())
    }

    /// One jar with the library of every platform, and those of the sources and documentation.
    pub(crate) fn jars(&self) -> Result<(), Failure> {
        let java = self.tree.source.join("bindings/java");
        // Into this machine's repository, where the build for Spark finds it.
        let mut maven = program("mvn", &["--quiet", "--batch-mode", "install"]);
        maven.args(["-pl", "sivka", "-am", "-Dmaven.test.skip=true"]);
        let archive = self.here()?.archive.display().to_string();
        maven.arg(format!("-Dsivka.static.library={archive}"));
        let maven = self.tree.settle(&mut maven);
        maven.env("JAVA_HOME", crate::jdk::oldest()?);
        succeed(maven.current_dir(&java))?;
        for kind in ["", "-sources", "-javadoc"] {
            let name = format!("sivka-{}{kind}.jar", self.version);
            let mut jar = Content::of_zip(&java.join("sivka/target").join(&name))?;
            if kind.is_empty() {
                for built in self.built {
                    let library = built.platform.shared_library("sivka_java");
                    let library = format!("dev/sivka/native/{}/{library}", built.platform.name);
                    jar.add_copy(library, &built.java)?;
                }
                for (name, text) in self.licences.files("sivka-ffi")? {
                    jar.add(format!("META-INF/{name}"), Entry::File(text));
                }
            }
            // Tools look for the manifest in front. A library that is not compressed loads
            // faster.
            let zip = Zip {
                prefix: "",
                first: &["META-INF/MANIFEST.MF"],
                method: if kind.is_empty() {
                    CompressionMethod::Stored
                } else {
                    CompressionMethod::Deflated
                },
                time: self.tree.time,
            };
            jar.write_zip(&self.out.join(name), &zip)?;
        }
        Ok(())
    }

    /// The .NET packages and their symbols.
    pub(crate) fn nuget(&self) -> Result<(), Failure> {
        let (libraries, licences) = (self.fresh("runtimes")?, self.fresh("licences")?);
        for built in self.built {
            let library = built.platform.shared_library("sivka");
            let path = libraries
                .join(built.platform.rid)
                .join("native")
                .join(library);
            write(&path, read(&built.shared)?)?;
        }
        for (name, text) in self.licences.files("sivka-ffi")? {
            if name.starts_with("THIRD-PARTY") {
                write(&licences.join(name), text)?;
            }
        }
        let packed = self.fresh("nuget")?;
        let dotnet = self.tree.source.join("bindings/dotnet");
        for project in ["Sivka", "Sivka.DataProtection"] {
            let mut pack = program("dotnet", &["pack", project, "--configuration", "Release"]);
            pack.args(["-nodeReuse:false", "-p:UseSharedCompilation=false"])
                .args(["-p:ContinuousIntegrationBuild=true", "--output"])
                .arg(&packed)
                .arg(format!("-p:SivkaNativeFolder={}", libraries.display()))
                .arg(format!("-p:SivkaThirdParty={}", licences.display()));
            let pack = self.tree.settle(&mut pack);
            pack.env("DOTNET_CLI_TELEMETRY_OPTOUT", "1")
                .env("DOTNET_NOLOGO", "1");
            succeed(pack.current_dir(&dotnet))?;
        }
        for path in listed(&packed)? {
            let package = super::nuget::settled(&path)?;
            let zip = Zip {
                prefix: "",
                first: &["_rels/.rels"],
                method: CompressionMethod::Deflated,
                time: self.tree.time,
            };
            package.write_zip(&self.out.join(path.file_name().unwrap_or_default()), &zip)?;
        }
        Ok(())
    }

    /// The crates; that they build from what is packed is tried with the other artifacts.
    pub(crate) fn crates(&self) -> Result<(), Failure> {
        let mut package = cargo_package();
        succeed(self.tree.settle(package.arg("--no-verify")))?;
        for name in crate::sbom::SHIPPED {
            let name = format!("{name}-{}.crate", self.version);
            let packed = self.tree.target().join("package").join(&name);
            write(&self.out.join(name), read(&packed)?)?;
        }
        Ok(())
    }

    /// What each artifact is made of.
    pub(crate) fn bills_of_materials(&self) -> Result<(), Failure> {
        for (package, text) in crate::sbom::documents()? {
            let name = format!("{package}-{}.cdx.json", self.version);
            write(&self.out.join(name), text)?;
        }
        Ok(())
    }

    /// The archive without the debug information of Rust's standard library, half of it: the
    /// toolchain's own program knows the formats of all platforms.
    fn without_debug_information(&self, built: &Built) -> Result<PathBuf, Failure> {
        let mut rustc = program("rustc", &["--print", "target-libdir"]);
        let libraries = PathBuf::from(crate::process::capture(&mut rustc)?.trim());
        let tool = libraries.join("../bin/rust-objcopy");
        let stripped = self
            .tree
            .work
            .join("linked")
            .join(built.platform.name)
            .join("libsivka.a");
        let mut objcopy = Command::new(tool);
        objcopy.args(["--strip-debug", "--enable-deterministic-archives"]);
        succeed(objcopy.arg(&built.archive).arg(&stripped))?;
        Ok(stripped)
    }
}

/// What packs the crates, and builds them from that.
pub(crate) fn cargo_package() -> Command {
    let mut package = program("cargo", &["package", "--locked"]);
    for name in crate::sbom::SHIPPED {
        package.args(["--package", name]);
    }
    package
}

fn only_file(folder: &Path) -> Result<PathBuf, Failure> {
    let files = listed(folder)?;
    match files.as_slice() {
        [file] => Ok(file.clone()),
        _ => Err(Failure::new(format!(
            "{}: {} files",
            folder.display(),
            files.len()
        ))),
    }
}
